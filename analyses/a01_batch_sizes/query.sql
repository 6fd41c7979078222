-- Throughput and latency of every point, and the optimal batch size by two rules. Points that
-- differ only in batch size are one series.
WITH measured AS (
  SELECT point_id, model, backend, device, precision, settings, batch, latency_ns, latency_low_ns,
         latency_high_ns, peak_bytes, batch * 1e9 / nullif(latency_ns, 0) AS throughput_per_s
  FROM point),
stepped AS (
  SELECT *,
         lead(batch) OVER series AS next_batch,
         lead(throughput_per_s) OVER series AS next_throughput_per_s
  FROM measured
  WHERE throughput_per_s IS NOT NULL
  WINDOW series AS (PARTITION BY model, backend, device, settings ORDER BY batch)),
gained AS (
  -- A step that is no doubling is scaled to one: gain per doubling = ratio ^ (1 / log2(step)) - 1.
  SELECT *,
         pow(next_throughput_per_s / throughput_per_s, 1 / nullif(log2(next_batch / batch), 0)) - 1
           AS gain_of_next_doubling
  FROM stepped),
ruled AS (
  SELECT point_id, gain_of_next_doubling,
         min(batch) OVER series < max(batch) OVER series AS comparable,
         row_number() OVER (PARTITION BY model, backend, device, settings
                            ORDER BY throughput_per_s DESC, batch) = 1 AS is_max,
         coalesce(batch = min(batch) FILTER (gain_of_next_doubling <= 0.05) OVER series, false)
           AS is_5_percent
  FROM gained
  WINDOW series AS (PARTITION BY model, backend, device, settings))
SELECT m.point_id, m.batch, m.latency_ns, m.throughput_per_s, r.gain_of_next_doubling,
       CASE WHEN r.comparable THEN r.is_max END AS optimal_max_throughput,
       CASE WHEN r.comparable THEN r.is_5_percent END AS optimal_5_percent,
       m.latency_low_ns, m.latency_high_ns,
       m.batch * 1e9 / nullif(m.latency_high_ns, 0) AS throughput_low_per_s,
       m.batch * 1e9 / nullif(m.latency_low_ns, 0) AS throughput_high_per_s,
       m.peak_bytes, m.model, m.backend, m.device, m.precision
FROM measured m
LEFT JOIN ruled r USING (point_id)
ORDER BY m.model, m.backend, m.device, m.settings, m.batch, m.point_id
