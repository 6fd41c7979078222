-- Kernels whose intensity is known, with the roofs of their own data type and unit.
WITH peak AS (
  SELECT dtype, unit, max(value) AS peak_flops_per_s
  FROM roof WHERE kind = 'flops' AND used GROUP BY dtype, unit),
bandwidth AS (
  SELECT max(value) AS peak_bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
placed AS (
  SELECT k.*, peak_flops_per_s, peak_bytes_per_s,
         k.flops / nullif(k.read_bytes + k.write_bytes, 0) AS intensity,
         k.flops * 1e9 / nullif(k.duration_ns, 0) AS throughput,
         peak_flops_per_s / nullif(peak_bytes_per_s, 0) AS ridge
  FROM kernel k
  LEFT JOIN peak USING (dtype, unit)
  CROSS JOIN bandwidth
  WHERE k.flops > 0 AND k.read_bytes + k.write_bytes > 0)
SELECT k.point_id, p.batch, k.kernel_index, k.layer_index, k.name,
       CASE k.type WHEN 'primitive' THEN split_part(k.name, ' ', 1) ELSE k.type END AS kind,
       k.dtype, k.unit, k.duration_ns,
       k.intensity AS intensity_flops_per_byte,
       k.throughput AS throughput_flops_per_s,
       k.peak_flops_per_s, k.peak_bytes_per_s, k.ridge AS ridge_flops_per_byte,
       CASE WHEN k.intensity < k.ridge THEN 'memory'
            WHEN k.intensity >= k.ridge THEN 'compute' END AS bound,
       k.throughput / CASE WHEN k.intensity < k.ridge THEN k.intensity * k.peak_bytes_per_s
                           WHEN k.intensity >= k.ridge THEN k.peak_flops_per_s END AS roof_fraction
FROM placed k
JOIN point p USING (point_id)
ORDER BY k.point_id, k.duration_ns DESC NULLS LAST, k.kernel_index
