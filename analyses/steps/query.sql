-- Steps in order, each beside the median of its rank's steps.
SELECT r.point_id, s.rank, s.step, s.duration_ns,
       s.duration_ns / nullif(median(s.duration_ns) OVER steps, 0) AS over_median,
       s.is_slow, s.changed, s.changed_ns,
       s.changed_ns / nullif(s.duration_ns - median(s.duration_ns) OVER steps, 0) AS changed_share,
       s.busy_ns, s.busy_ns / nullif(s.duration_ns, 0) AS busy_ratio, s.synchronisation_ns,
       s.kernel_ns, s.kernels, s.launches, s.copies, s.operators
FROM step s JOIN run r USING (run_id)
WINDOW steps AS (PARTITION BY s.run_id, s.rank)
ORDER BY r.point_id, s.run_id, s.rank NULLS FIRST, s.start_ns, s.step
