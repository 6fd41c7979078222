-- The layers with the longest latency, for each version of a framework.
--
-- The same layer of the same model, batch size, precision, settings and device in several experiments counts as one: the
-- mean of its latencies.
--
-- columns:
--   framework: framework and version
--   position: 1: the slowest layer of this version
--   model: the model
--   batch: items per model call; NULL: not known
--   precision: data type of the arithmetic
--   device: the GPU's or the CPU's name; without one the kind of device
--   layer: the layer's name
--   type: operator type
--   experiments: in which it was measured
--   latency_ns: mean, ns per model call
--   share: of the latencies of all layers of its points
-- parameters:
--   top = 10: layers of each version
WITH whole AS (
  SELECT experiment, point_id, sum(latency_ns) AS layers_ns FROM layer WHERE latency_ns >= 0 GROUP BY experiment, point_id),
measured AS (
  SELECT p.backend AS framework, p.model AS model, coalesce(p.batch, -1) AS batch, p.precision AS precision,
         coalesce(p.settings, '') AS settings,
         CASE WHEN p.device LIKE 'cpu%' THEN coalesce(e.cpu_model, p.device) ELSE coalesce(e.gpu_model, p.device) END AS device,
         l.name AS name, l.type AS type, l.experiment AS experiment, l.latency_ns AS latency_ns, w.layers_ns AS layers_ns
  FROM layer AS l
  JOIN point AS p ON l.experiment = p.experiment AND l.point_id = p.point_id
  JOIN whole AS w ON l.experiment = w.experiment AND l.point_id = w.point_id
  JOIN experiment AS e ON l.experiment = e.experiment
  WHERE l.latency_ns >= 0),
grouped AS (
  SELECT framework, model, batch, precision, settings, device, name, type, count(DISTINCT experiment) AS experiments,
         sum(latency_ns) / count(*) AS latency_ns, sum(latency_ns) / nullif(sum(layers_ns), 0) AS share
  FROM measured GROUP BY framework, model, batch, precision, settings, device, name, type),
positioned AS (
  SELECT framework, model, batch, precision, device, name, type, experiments, latency_ns, share,
         row_number() OVER (PARTITION BY framework
                            ORDER BY latency_ns DESC, model, batch, precision, settings, device, name, type) AS position
  FROM grouped)
SELECT framework, position, model, nullif(batch, -1) AS batch, precision, device, name AS layer, type, experiments, latency_ns, share
FROM positioned WHERE position <= :top
ORDER BY framework, position
