WITH whole AS (
  SELECT sum(devices) AS devices, sum(total_ns) AS total_ns, sum(idle_share * total_ns) / sum(total_ns) AS idle_share
  FROM device_idle WHERE point_id = $point),
gap AS (
  SELECT i.* FROM idle i JOIN device_idle d USING (run_id) LEFT JOIN device_step USING (run_id, step)
  WHERE point_id = $point AND stream IS NULL
    AND CASE WHEN calls > 0 THEN is_typical ELSE step IS NULL END),
-- A host that is late is to blame until it launches.
part AS (
  SELECT cause, CASE cause WHEN 'host' THEN idle_ns - launched_ns ELSE idle_ns END AS ns FROM gap
  UNION ALL SELECT 'other', launched_ns FROM gap WHERE cause = 'host'),
main AS (
  SELECT cause, sum(ns) / sum(sum(ns)) OVER () AS share, sum(ns) AS ns
  FROM part GROUP BY cause ORDER BY ns DESC, cause LIMIT 1)
SELECT devices = 1 AS is_one_device,
       whole.idle_share,
       CASE WHEN share >= $most_of THEN share END AS explained_share,
       CASE WHEN share >= $most_of THEN
         CASE cause WHEN 'host' THEN 'because the host launched too late'
                    WHEN 'launch' THEN 'because launches had not arrived yet'
                    WHEN 'kernel' THEN 'between kernels that follow each other at once'
                    WHEN 'other' THEN 'with work launched that waited for something else'
                    ELSE 'before work whose launch is not in the trace' END END AS cause
FROM whole LEFT JOIN main ON true
WHERE total_ns > 0 AND whole.idle_share >= $idle_matters
