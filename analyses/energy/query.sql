-- Of each point: whole runs, then calls, phases and layers, each part of the machine by itself.
SELECT e.point_id, r.rung, e.scope, e.layer_index, e.name, e.part, e.spans AS repetitions,
       e.energy_joules, e.energy_joules / nullif(e.spans, 0) AS joules_each,
       CASE WHEN e.scope = 'call' THEN e.energy_joules / nullif(e.spans, 0) / p.batch
       END AS joules_per_item,
       e.energy_joules / nullif(e.span_ns * 1e-9, 0) AS mean_watts, e.span_ns AS time_ns,
       e.intervals, e.confidence, e.reason
FROM energy e JOIN run r USING (run_id) JOIN point p ON p.point_id = e.point_id
ORDER BY e.point_id, array_position(['run', 'call', 'phase', 'layer'], e.scope), e.run_id,
         e.layer_index NULLS FIRST, e.name, e.part
