-- The limit (lower end of the overhead's interval above 25 %) is that of the view point_time, on which all shares of
-- layers rest.
SELECT r.baseline_ns, r.baseline_ns * (1 + r.overhead_ratio) AS call_ns, r.overhead_ratio AS overhead_share,
       r.rung = 'recorded' AS is_recorded
FROM point_time t
JOIN (SELECT point_id, any_value(source_run) AS run_id FROM layer GROUP BY 1) l USING (point_id)
JOIN run r ON r.run_id = l.run_id
WHERE t.point_id = $point AND t.layers_distorted
