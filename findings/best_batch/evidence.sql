-- Points that differ from $point only in batch size are one series. The best comes first, the others by batch.
WITH series AS (
  SELECT p.batch, p.latency_ns, p.batch * 1e9 / p.latency_ns AS throughput, t.runs_agree,
         -- Half the width of the interval on the scale of logarithms; 0: the point has none.
         CASE WHEN p.latency_low_ns > 0 AND p.latency_high_ns > p.latency_low_ns
              THEN ln(p.latency_high_ns / p.latency_low_ns) / 2 ELSE 0 END AS half_width
  FROM point p JOIN point_time t USING (point_id)
  JOIN point mine ON mine.point_id = $point
    AND (p.model, p.backend, p.device, p.settings) = (mine.model, mine.backend, mine.device, mine.settings)
  WHERE p.latency_ns > 0 AND p.batch > 0),
step AS (
  SELECT *, row_number() OVER by_batch AS place,
         -- A step of another size is scaled to a doubling, as in analysis A1.
         pow(lead(throughput) OVER by_batch / throughput,
             1 / nullif(log2(lead(batch) OVER by_batch / batch), 0)) - 1 AS gain_of_next_doubling,
         -- Points are measured independently: widths add in quadrature.
         sqrt(half_width ** 2 + (lead(half_width) OVER by_batch) ** 2) AS step_half_width
  FROM series WINDOW by_batch AS (ORDER BY batch)),
whole AS (
  SELECT count(*) AS points, bool_and(runs_agree) AS runs_agree,
         -- Intervals wider than a small gain do not show whether a doubling gains that little.
         max(step_half_width) <= $small_gain AS shows_small_gains,
         min(place) FILTER (gain_of_next_doubling <= $small_gain) AS last_worth
  FROM step),
best AS (SELECT * FROM step ORDER BY throughput DESC, place LIMIT 1),
compared AS (
  SELECT s.*, s.place = b.place AS is_best, b.throughput / s.throughput AS ratio,
         sqrt(s.half_width ** 2 + b.half_width ** 2) AS ratio_half_width,
         ratio_half_width > 0 AND ln(ratio) <= ratio_half_width AS is_alike
  FROM step s CROSS JOIN best b)
SELECT batch, throughput, latency_ns,
       CASE WHEN NOT is_best THEN ratio - 1 END AS gain,
       CASE WHEN NOT is_best AND ratio_half_width > 0 THEN ratio * exp(-ratio_half_width) - 1 END AS gain_low,
       CASE WHEN NOT is_best AND ratio_half_width > 0 THEN ratio * exp(ratio_half_width) - 1 END AS gain_high,
       NOT is_best AND is_alike AS is_alike,
       place = 1 AS is_smallest,
       CASE WHEN is_best THEN
         (SELECT string_agg(batch, ', ' ORDER BY place) FROM compared WHERE is_alike AND NOT is_best AND place > 1)
         END AS alike_batches,
       CASE WHEN is_best AND shows_small_gains AND last_worth <> place THEN
         (SELECT batch FROM step WHERE place = last_worth) END AS last_worth_batch,
       CASE WHEN NOT whole.runs_agree THEN
         'runs of the same point disagree, so those of different batch sizes may differ as much' END AS abstain
FROM compared CROSS JOIN whole
WHERE points >= 2
ORDER BY is_best DESC, place
