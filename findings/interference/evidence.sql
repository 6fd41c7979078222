-- Threads of a call may wait at once: no more than the call is counted. Each call counts as much as another: one that
-- waited for seconds says nothing of the others.
SELECT avg(least(coalesce(s.waited_ns, 0) / nullif(s.latency_ns, 0), 1)) AS lost_share,
       coalesce(max(r.threads) > max(p.cores), false) AS has_many_threads,
       coalesce((SELECT sum(y.mean * (y.until_ns - y.time_ns)) / nullif(sum(y.until_ns - y.time_ns), 0) >= $quota_matters
                 FROM system_series y JOIN run USING (run_id)
                 WHERE run.point_id = $point AND y.name = 'cgroup.throttled_share'), false) AS has_quota
FROM point_time t JOIN point p USING (point_id)
JOIN (SELECT point_id, any_value(source_run) AS run_id FROM layer GROUP BY 1) l USING (point_id)
JOIN run r ON r.run_id = l.run_id JOIN sample s ON s.run_id = l.run_id
WHERE t.point_id = $point AND NOT t.has_device AND coalesce(s.rung, r.rung) = r.rung
HAVING lost_share >= $much_lost
