WITH whole AS (
  SELECT sum(device_ns) AS work_ns FROM tree JOIN run USING (run_id) WHERE point_id = $point AND parent IS NULL),
-- Modules and Python functions hold operators; they launch nothing themselves.
top AS (
  SELECT name, sum(count) AS calls, sum(device_self_ns) AS ns
  FROM tree JOIN run USING (run_id)
  WHERE point_id = $point AND level = 'layer' AND type NOT IN ('module', 'function', '')
  GROUP BY name ORDER BY ns DESC, name LIMIT 1)
SELECT name AS operator, ns / work_ns AS share, ns AS operator_ns, work_ns, calls
FROM top, whole WHERE ns >= $much * work_ns AND work_ns > 0
