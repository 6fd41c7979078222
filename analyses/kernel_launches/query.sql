-- The table `launch` with means and shares; what the device waited for longest comes first, then
-- what ran longest.
SELECT r.point_id, p.batch, l.rank, l.device, l.name, l.launches AS launch_count, l.device_ns,
       l.late / nullif(l.launches, 0) AS late_share, l.late_ns,
       l.launches > 0 AND 2 * l.late >= l.launches AS is_launch_bound,
       l.short / nullif(l.launches, 0) AS short_share,
       l.latency_p50_ns, l.latency_p95_ns, l.latency_max_ns,
       l.queued_ns / nullif(l.launches, 0) AS queued_ns,
       l.waited_ns / nullif(l.launches, 0) AS waited_ns,
       l.call_ns / nullif(l.launches, 0) AS call_ns,
       l.device_ns / nullif(l.launches + l.unlaunched, 0) AS mean_ns,
       l.brief / nullif(l.launches + l.unlaunched, 0) AS brief_share,
       l.type, l.unlaunched AS unlaunched_count, l.negative AS negative_count
FROM launch l JOIN run r USING (run_id) JOIN point p USING (point_id)
ORDER BY r.point_id, l.run_id, l.rank NULLS FIRST, l.device NULLS FIRST, l.late_ns DESC,
         l.device_ns DESC, l.name, l.type
