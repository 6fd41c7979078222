-- The limit (a factor of 1.25 between the ends of the intervals) is that of the view run_pair, on which other findings
-- rest, too. Of several pairs the one that is furthest apart.
SELECT p.calls_ns, a.rung, p.again_ns, d.rung AS deeper_rung, d.baseline_ns IS NOT NULL AS is_same_work,
       greatest(p.ratio, 1 / p.ratio) AS factor
FROM run_pair p JOIN run a ON a.run_id = p.run_id JOIN run d ON d.run_id = p.deeper_run_id
WHERE p.point_id = $point AND NOT p.agree
ORDER BY factor DESC, p.run_id LIMIT 1
