-- The kernels with the most time, of each model and device, and how they changed against the week before.
--
-- Counts every execution of a kernel in the runs that record kernels (rungs kernel, imported and recorded), warm-up
-- included. Batch sizes, precisions and frameworks of a model are counted together: where their mix differs between the
-- weeks, the change is that of the mix. The 95th percentile is the nearest rank of durations that are rounded to three
-- digits (half a per cent): a histogram, which is added up file by file and needs no sort. Week 0 are the 7 days up to
-- --until, week 1 those before.
--
-- reads:
--   only experiments of the last 2 weeks
-- columns:
--   model: the model
--   device: the GPU's or the CPU's name; without one the kind of device
--   kernel: the kernel's name
--   position: 1: the most time of its model and device in week 0
--   executions: of week 0
--   total_ns: their time, ns
--   p95_ns: their 95th percentile, ns
--   before_p95_ns: the 95th percentile of week 1, ns; NULL: it did not run
--   change: p95_ns / before_p95_ns - 1
-- parameters:
--   top = 10: kernels of each model and device
WITH recorded AS (
  SELECT r.experiment AS experiment, r.path AS path, e.week AS week, p.model AS model,
         CASE WHEN p.device LIKE 'cpu%' THEN coalesce(e.cpu_model, p.device) ELSE coalesce(e.gpu_model, p.device) END AS device
  FROM run AS r
  JOIN point AS p ON r.experiment = p.experiment AND r.point_id = p.point_id
  JOIN experiment AS e ON r.experiment = e.experiment
  WHERE e.week <= 1 AND r.rung IN ('kernel', 'imported', 'recorded')),
execution AS (
  SELECT experiment, path, name AS kernel, duration_ns,
         CASE WHEN duration_ns < 1000 THEN duration_ns
              WHEN duration_ns < 10000 THEN duration_ns + 5 - (duration_ns + 5) % 10
              WHEN duration_ns < 100000 THEN duration_ns + 50 - (duration_ns + 50) % 100
              WHEN duration_ns < 1000000 THEN duration_ns + 500 - (duration_ns + 500) % 1000
              WHEN duration_ns < 10000000 THEN duration_ns + 5000 - (duration_ns + 5000) % 10000
              WHEN duration_ns < 100000000 THEN duration_ns + 50000 - (duration_ns + 50000) % 100000
              WHEN duration_ns < 1000000000 THEN duration_ns + 500000 - (duration_ns + 500000) % 1000000
              ELSE duration_ns + 5000000 - (duration_ns + 5000000) % 10000000 END AS rounded_ns
  FROM span
  WHERE level = 'kernel' AND duration_ns >= 0),
histogram AS (
  SELECT r.model AS model, r.device AS device, x.kernel AS kernel, r.week AS week, x.rounded_ns AS rounded_ns, count(*) AS executions, sum(x.duration_ns) AS total_ns
  FROM execution AS x
  JOIN recorded AS r ON x.experiment = r.experiment AND x.path = r.path
  GROUP BY r.model, r.device, x.kernel, r.week, x.rounded_ns),
ranked AS (
  SELECT model, device, kernel, week, rounded_ns,
         sum(executions) OVER (PARTITION BY model, device, kernel, week ORDER BY rounded_ns) AS up_to_here,
         sum(executions) OVER (PARTITION BY model, device, kernel, week) AS executions,
         sum(total_ns) OVER (PARTITION BY model, device, kernel, week) AS total_ns
  FROM histogram),
weekly AS (
  SELECT model, device, kernel, week, min(executions) AS executions, min(total_ns) AS total_ns, min(rounded_ns) AS p95_ns
  FROM ranked WHERE up_to_here * 100 >= executions * 95
  GROUP BY model, device, kernel, week),
positioned AS (
  SELECT model, device, kernel, executions, total_ns, p95_ns,
         row_number() OVER (PARTITION BY model, device ORDER BY total_ns DESC, kernel) AS position
  FROM weekly WHERE week = 0)
SELECT n.model, n.device, n.kernel, n.position, n.executions, n.total_ns, n.p95_ns, b.p95_ns AS before_p95_ns,
       n.p95_ns / nullif(CAST(b.p95_ns AS DOUBLE), 0) - 1 AS change
FROM positioned AS n
LEFT JOIN (SELECT model, device, kernel, p95_ns FROM weekly WHERE week = 1) AS b
  ON n.model = b.model AND n.device = b.device AND n.kernel = b.kernel
WHERE n.position <= :top
ORDER BY n.model, n.device, n.position
