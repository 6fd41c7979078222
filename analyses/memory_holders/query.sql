-- What is allocated at the peak of each device and of the host, by who allocated it.
SELECT r.point_id, h.rank, h.device, h.operator, h.module, h.allocations, h.bytes,
       h.bytes / nullif(sum(h.bytes) OVER device, 0) AS peak_share,
       sum(h.bytes) OVER (device ORDER BY h.bytes DESC, h.operator, h.module NULLS FIRST
                          ROWS UNBOUNDED PRECEDING)
         / nullif(sum(h.bytes) OVER device, 0) AS cumulative_share,
       h.freed_by
FROM memory_holder h JOIN run r USING (run_id)
WINDOW device AS (PARTITION BY h.run_id, h.rank, h.device)
ORDER BY r.point_id, h.run_id, h.rank NULLS FIRST, h.device NULLS LAST, h.bytes DESC, h.operator,
         h.module NULLS FIRST
