-- Of typical steps; without steps, of the whole run.
WITH time AS (
  SELECT sum(exposed_communication_ns) AS communication_ns, sum(exposed_copy_ns) AS copy_ns, sum(d.total_ns) AS devices_ns
  FROM device_time d JOIN run USING (run_id) JOIN device_idle i USING (run_id) LEFT JOIN device_step USING (run_id, step)
  WHERE run.point_id = $point AND CASE WHEN i.calls > 0 THEN is_typical ELSE step IS NULL END),
share AS (
  SELECT *, communication_ns / devices_ns AS communication, copy_ns / devices_ns AS copies
  FROM time WHERE devices_ns > 0)
SELECT CASE WHEN communication >= $alone_matters THEN communication END AS communication_share,
       CASE WHEN copies >= $alone_matters THEN copies END AS copy_share,
       communication_ns, copy_ns, devices_ns
FROM share WHERE greatest(communication, copies) >= $alone_matters
