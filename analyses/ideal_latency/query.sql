-- The call, in which layers may overlap: the time of its busiest resource; the sums of the layers, one after another; each
-- layer beside its bound.
WITH bounded AS (SELECT b.*, bound_ns > measured_ns AS is_exceeded FROM layer_bound b),
summed AS (
  SELECT point_id, sum(measured_ns) AS measured_ns, sum(bound_ns) AS bound_ns, sum(compute_ns) AS compute_ns,
         sum(memory_ns) AS memory_ns, sum(measured_ns) FILTER (bound_ns IS NOT NULL) AS bounded_ns,
         count(*) FILTER (is_exceeded) AS exceeded
  FROM bounded GROUP BY point_id HAVING sum(bound_ns) IS NOT NULL),
busiest AS (
  SELECT point_id, max(ns) AS bound_ns, arg_max(resource, ns) AS resource
  FROM (SELECT point_id, resource, sum(bound_ns) AS ns FROM bounded GROUP BY point_id, resource) GROUP BY point_id),
line AS (
  SELECT b.point_id, b.layer_index, l.name, l.type, b.measured_ns, b.bound_ns,
         b.bound_ns / nullif(b.measured_ns, 0) AS achieved_share, b.measured_ns - b.bound_ns AS gap_ns, b.resource,
         b.compute_ns, b.memory_ns, b.known_share AS known_time_share,
         CASE WHEN b.is_exceeded THEN 1 WHEN b.bound_ns IS NOT NULL THEN 0 END AS exceeded, 0 AS place
  FROM bounded b JOIN layer l USING (point_id, layer_index)
  WHERE b.point_id IN (SELECT point_id FROM summed)
  UNION ALL
  SELECT point_id, NULL, '(all layers)', NULL, measured_ns, bound_ns, bound_ns / nullif(bounded_ns, 0),
         bounded_ns - bound_ns, NULL, compute_ns, memory_ns, bounded_ns / nullif(measured_ns, 0), exceeded, 1
  FROM summed
  UNION ALL
  SELECT s.point_id, NULL, '(model call)', NULL, t.latency_ns, b.bound_ns, b.bound_ns / nullif(t.latency_ns, 0),
         t.latency_ns - b.bound_ns, b.resource, NULL, NULL, bounded_ns / nullif(s.measured_ns, 0),
         CASE WHEN b.bound_ns > t.latency_ns THEN 1 ELSE 0 END, 2
  FROM summed s JOIN busiest b USING (point_id) JOIN point_time t USING (point_id))
SELECT n.point_id, p.batch, n.layer_index, n.name, n.type, n.measured_ns, n.bound_ns, n.achieved_share, n.gap_ns,
       n.resource, n.compute_ns, n.memory_ns, n.known_time_share, n.exceeded
FROM line n JOIN point p USING (point_id)
ORDER BY n.point_id, n.place DESC, n.layer_index
