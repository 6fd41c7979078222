-- The point whose calls spend the largest share of the cores' time in the operating system. Baseline calls, which have
-- a rung other than their run's, are left out. The system counts its time in steps: of calls that are shorter, a share
-- above 1 can come out, which is none.
SELECT p.backend AS framework, p.batch, sum(s.system_ns) / sum(s.latency_ns * p.cores) AS system_share,
       avg(s.page_faults) AS page_faults, coalesce(avg(s.page_faults) >= $many_faults, false) AS has_many_faults,
       CASE WHEN system_share > 1 THEN 'calls are too short for the time that the operating system counts' END AS abstain
FROM sample s JOIN run r USING (run_id) JOIN point p USING (point_id)
WHERE r.rung = 'model' AND coalesce(s.rung, r.rung) = r.rung
GROUP BY p.point_id, p.batch, p.backend
HAVING system_share >= $telling_share
ORDER BY system_share > 1, system_share DESC, p.point_id LIMIT 1
