WITH time AS (
  SELECT sum(exposed_communication_ns) AS communication_ns, sum(exposed_copy_ns) AS copy_ns, sum(total_ns) AS devices_ns
  FROM device_time JOIN run USING (run_id) WHERE point_id = $point AND step IS NULL),
share AS (
  SELECT *, communication_ns / devices_ns AS communication, copy_ns / devices_ns AS copies
  FROM time WHERE devices_ns > 0)
SELECT CASE WHEN communication >= $alone_matters THEN communication END AS communication_share,
       CASE WHEN copies >= $alone_matters THEN copies END AS copy_share,
       communication_ns, copy_ns, devices_ns
FROM share WHERE greatest(communication, copies) >= $alone_matters
