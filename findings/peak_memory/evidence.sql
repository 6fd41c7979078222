WITH held AS (
  SELECT h.run_id, rank, device, operator, sum(bytes) AS bytes
  FROM memory_holder h JOIN run USING (run_id) WHERE point_id = $point AND device IS NOT NULL GROUP BY ALL),
peak AS (
  SELECT device, sum(bytes) AS bytes, arg_max(operator, bytes) AS top, max(bytes) AS top_bytes,
         sum(bytes) FILTER (operator = '(before recording)') AS before_bytes
  FROM held GROUP BY run_id, rank, device ORDER BY bytes DESC LIMIT 1),
-- A name in parentheses is no operator.
stated AS (SELECT *, top_bytes >= $much * bytes AND top NOT LIKE '(%' AS stands_out FROM peak)
SELECT bytes AS peak_bytes, device, CASE WHEN before_bytes > 0 THEN before_bytes / bytes END AS held_share,
       CASE WHEN stands_out THEN top END AS operator, CASE WHEN stands_out THEN top_bytes / bytes END AS operator_share
FROM stated WHERE bytes > 0
