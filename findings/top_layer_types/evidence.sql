WITH types AS (
  SELECT l.type, count(*) AS layers, sum(t.work_ns) AS work_ns, sum(t.work_share) AS share,
         sum(sum(t.work_share)) OVER () AS tied, any_value(p.has_device) AS has_device,
         any_value(p.device_work_ns) AS device_ns, any_value(p.latency_ns) AS latency_ns,
         -- What the share is of.
         CASE WHEN any_value(p.has_device) THEN 'device'
              WHEN any_value(p.layers_distorted) THEN 'layers'
              WHEN any_value(p.layers_ns) > $layers_overlap * any_value(p.layer_call_ns) THEN 'overlapping'
              WHEN any_value(p.runs_agree) AND any_value(p.latency_ns) > 0 THEN 'latency'
              ELSE 'call' END AS whole
  FROM layer l JOIN layer_time t USING (point_id, layer_index) JOIN point_time p USING (point_id)
  WHERE point_id = $point GROUP BY l.type)
SELECT type, layers, work_ns, share,
       CASE whole WHEN 'device' THEN device_ns END AS device_ns,
       whole = 'layers' AS is_of_layers,
       whole = 'overlapping' AS is_overlapping,
       CASE whole WHEN 'latency' THEN latency_ns END AS latency_ns,
       whole = 'call' AS is_of_call
FROM types
WHERE work_ns > 0 AND share > 0 AND (NOT has_device OR tied >= $tied_to_layers)
ORDER BY work_ns DESC, type LIMIT 3
