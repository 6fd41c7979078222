-- Closed loops first, then the rates that were tried, from low to high.
SELECT p.model, p.backend, p.batch, s.scenario,
       CASE WHEN s.scenario <> 'server' THEN NULL
            WHEN s.offered_rate IS NULL THEN 'closed loop'
            WHEN s.chosen THEN 'highest rate'
            WHEN s.passed THEN 'kept'
            WHEN s.utilisation >= 1 THEN 'overload'
            ELSE 'too slow' END AS result,
       s.offered_rate AS offered_rate_per_s, s.utilisation, s.throughput_per_s, s.gap_ns, s.queries,
       s.latency_p50_ns, s.latency_p90_ns, s.latency_p95_ns, s.latency_p99_ns,
       s.queue_p50_ns, s.queue_p99_ns, s.service_p50_ns, s.service_p99_ns,
       s.percentile, s.percentile_ns, s.estimate_ns, s.bound_ns, s.above_bound, s.message AS note
FROM scenario s JOIN point p USING (point_id)
ORDER BY p.model, s.point_id, s.offered_rate NULLS FIRST, s.try_index
