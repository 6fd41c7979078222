-- Ranges directly in a training step, and what is left of the step.
WITH training AS (
  SELECT run_id, rank, node, count AS steps, host_ns, host_self_ns, device_ns, kernels
  FROM tree WHERE level = 'model' AND type = 'train'),
inner_ranges AS (
  SELECT t.run_id, t.rank, c.name AS phase, sum(c.count) AS count, sum(c.host_ns) AS host_ns,
         sum(c.device_ns) AS device_ns, sum(c.kernels) AS kernels, min(c.node) AS place
  FROM training t JOIN tree c ON c.run_id = t.run_id AND c.parent = t.node
  WHERE c.level = 'application'
  GROUP BY t.run_id, t.rank, c.name),
whole AS (
  SELECT run_id, rank, sum(steps) AS steps, sum(host_ns) AS host_ns, sum(device_ns) AS device_ns,
         sum(kernels) AS kernels
  FROM training GROUP BY run_id, rank),
phases AS (
  SELECT * FROM inner_ranges
  UNION ALL
  SELECT w.run_id, w.rank, '(between)', w.steps, w.host_ns - i.host_ns,
         w.device_ns - i.device_ns, w.kernels - i.kernels, NULL
  FROM whole w JOIN (SELECT run_id, rank, sum(host_ns) AS host_ns, sum(device_ns) AS device_ns,
                            sum(kernels) AS kernels
                     FROM inner_ranges GROUP BY run_id, rank) i
    ON i.run_id = w.run_id AND i.rank IS NOT DISTINCT FROM w.rank)
SELECT r.point_id, p.rank, p.phase, p.count, w.steps, p.host_ns / w.steps AS step_ns,
       p.host_ns / nullif(w.host_ns, 0) AS share, p.device_ns / w.steps AS device_ns,
       p.kernels / w.steps AS kernels
FROM phases p JOIN whole w ON w.run_id = p.run_id AND w.rank IS NOT DISTINCT FROM p.rank
JOIN run r ON r.run_id = p.run_id
ORDER BY r.point_id, p.run_id, p.rank NULLS FIRST, p.place NULLS LAST
