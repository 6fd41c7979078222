WITH timed AS (
  SELECT l.layer_index, l.name, l.type, l.shape, t.work_ns, p.has_device, p.device_work_ns,
         sum(t.work_ns) OVER () AS total_ns, count(*) OVER () AS layers
  FROM layer l JOIN layer_time t USING (point_id, layer_index) JOIN point_time p USING (point_id)
  WHERE point_id = $point AND t.work_ns IS NOT NULL),
longest AS (SELECT * FROM timed ORDER BY work_ns DESC, layer_index LIMIT 5)
SELECT name, type, starts_with(name, type) OR ends_with(name, ' ' || type) AS is_type_in_name, shape, work_ns, work_ns / total_ns AS share,
       sum(work_ns) OVER () / total_ns AS top_share, has_device AS is_of_device,
       CASE WHEN total_ns < $tied_to_layers * device_work_ns
            THEN format('Only {:.1f} % of the device''s work is tied to layers: they do not show where the time goes.',
                        100 * total_ns / device_work_ns) END AS abstain
FROM longest WHERE total_ns > 0 AND layers >= $many_layers
ORDER BY work_ns DESC, layer_index
