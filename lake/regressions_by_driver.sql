-- Points that became slower or faster with another driver of the GPU or, on CPUs, with another kernel of the operating system.
--
-- Compares points of one model, framework version, device, precision, batch size and settings. Drivers are in the order in
-- which they were first used. The verdict is 'slower' only if the intervals of all its measurements lie above those of
-- all measurements with the driver before, 'faster' if below.
--
-- columns:
--   model: the model
--   backend: framework and version
--   device: the GPU's or the CPU's name; without one the kind of device
--   batch: items per model call; NULL: not known
--   driver: driver of the GPU, kernel of the operating system
--   before: the driver before
--   points: measurements with this driver
--   latency_ns: mean of their latencies, ns per model call
--   before_latency_ns: with the driver before, ns
--   change: latency_ns / before_latency_ns - 1
--   verdict: slower, faster, or no difference found
-- parameters:
--   least = 0.0: smallest change that is listed, either way (0.05: 5 per cent)
WITH measured AS (
  SELECT p.model AS model, p.backend AS backend, coalesce(p.batch, -1) AS batch, p.precision AS precision, coalesce(p.settings, '') AS settings,
         coalesce(p.cores, -1) AS cores, e.created_s AS created_s, p.latency_ns AS latency_ns,
         coalesce(p.latency_low_ns, p.latency_ns) AS low_ns, coalesce(p.latency_high_ns, p.latency_ns) AS high_ns,
         CASE WHEN p.device LIKE 'cpu%' THEN coalesce(e.cpu_model, p.device) ELSE coalesce(e.gpu_model, p.device) END AS device,
         CASE WHEN p.device LIKE 'cpu%' THEN e.os_kernel ELSE e.gpu_driver END AS driver
  FROM point AS p JOIN experiment AS e ON p.experiment = e.experiment
  WHERE p.latency_ns > 0),
by_driver AS (
  SELECT model, backend, batch, precision, settings, cores, device, driver, count(*) AS points, min(created_s) AS first_s,
         sum(latency_ns) / count(*) AS latency_ns, min(low_ns) AS low_ns, max(high_ns) AS high_ns
  FROM measured WHERE driver IS NOT NULL
  GROUP BY model, backend, batch, precision, settings, cores, device, driver),
numbered AS (
  SELECT model, backend, batch, precision, settings, cores, device, driver, points, latency_ns, low_ns, high_ns,
         row_number() OVER (PARTITION BY model, backend, batch, precision, settings, cores, device
                            ORDER BY first_s, driver) AS turn
  FROM by_driver),
earlier AS (
  SELECT model, backend, batch, precision, settings, cores, device, driver, latency_ns, low_ns, high_ns, turn + 1 AS next_turn
  FROM numbered),
compared AS (
  SELECT n.model AS model, n.backend AS backend, n.device AS device, n.batch AS batch, n.precision AS precision,
         n.settings AS settings, n.cores AS cores, n.driver AS driver, b.driver AS before, n.points AS points,
         n.latency_ns AS latency_ns, b.latency_ns AS before_latency_ns, n.latency_ns / b.latency_ns - 1 AS change,
         CASE WHEN n.low_ns > b.high_ns THEN 'slower' WHEN n.high_ns < b.low_ns THEN 'faster'
              ELSE 'no difference found' END AS verdict
  FROM numbered AS n
  JOIN earlier AS b
    ON n.model = b.model AND n.backend = b.backend AND n.batch = b.batch AND n.precision = b.precision
   AND n.settings = b.settings AND n.cores = b.cores AND n.device = b.device AND n.turn = b.next_turn)
SELECT model, backend, device, nullif(batch, -1) AS batch, driver, before, points, latency_ns, before_latency_ns, change, verdict
FROM compared WHERE change >= :least OR change <= -:least
ORDER BY change DESC, model, backend, device, batch, driver, precision, settings, cores
