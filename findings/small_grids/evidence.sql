-- Kernels with fewer blocks than the device has multiprocessors (SMs). Those of NCCL leave most to others on purpose.
WITH source AS (
  SELECT min(source_run) AS run_id FROM kernel WHERE point_id = $point AND type = 'kernel'),
-- Kineto states the blocks for each SM, from which the number of SMs follows; else the data sheet names the device.
own AS (
  SELECT a.span_id AS id, max(value) FILTER (key = 'grid') AS grid, max(value) FILTER (key = 'block') AS block,
         max(value) FILTER (key = 'registers')::DOUBLE AS registers,
         coalesce(max(value) FILTER (key = 'static_shared_bytes')::DOUBLE, 0)
           + coalesce(max(value) FILTER (key = 'dynamic_shared_bytes')::DOUBLE, 0) AS shared_bytes,
         NULL::DOUBLE AS blocks_per_sm
  FROM attribute a JOIN source USING (run_id)
  WHERE key IN ('grid', 'block', 'registers', 'static_shared_bytes', 'dynamic_shared_bytes')
  GROUP BY a.span_id HAVING grid IS NOT NULL AND block IS NOT NULL),
traced AS (
  SELECT a.span_id AS id, arguments->>'$.grid' AS grid, arguments->>'$.block' AS block,
         (arguments->>'$."registers per thread"')::DOUBLE AS registers,
         coalesce((arguments->>'$."shared memory"')::DOUBLE, 0) AS shared_bytes,
         (arguments->>'$."blocks per SM"')::DOUBLE AS blocks_per_sm
  FROM argument a JOIN source USING (run_id) WHERE contains(arguments, '"grid"')),
-- Multiprocessors, and for each: warps, blocks and KiB of shared memory (NVIDIA's data sheets and whitepapers; CUDA C++
-- Programming Guide, technical specifications per compute capability).
known(device, sms, sm_warps, sm_blocks, sm_kib) AS (VALUES
  ('V100', 80, 64, 32, 96), ('T4', 40, 32, 16, 64), ('A10:', 72, 48, 16, 100), ('A30', 56, 64, 32, 164),
  ('A40', 84, 48, 16, 100), ('A100', 108, 64, 32, 164), ('A6000', 84, 48, 16, 100), ('3090', 82, 48, 16, 100),
  ('L4:', 58, 48, 24, 100), ('L40', 142, 48, 24, 100), ('6000 Ada', 142, 48, 24, 100), ('4090', 128, 48, 24, 100),
  ('H100 PCIe', 114, 64, 32, 228), ('H100 SXM5', 132, 64, 32, 228), ('H100 NVL', 132, 64, 32, 228),
  ('H200', 132, 64, 32, 228)),
device AS (
  SELECT sms, sm_warps, sm_blocks, sm_kib FROM known
  WHERE EXISTS (SELECT 1 FROM roof WHERE used AND contains(how, known.device)) ORDER BY length(device) DESC LIMIT 1),
sized AS (
  SELECT id, list_aggregate(grid::BIGINT[], 'product') AS blocks, list_aggregate(block::BIGINT[], 'product') AS threads,
         registers, shared_bytes, blocks_per_sm
  FROM (SELECT * FROM own UNION ALL SELECT * FROM traced)),
launched AS (
  SELECT s.name, s.duration_ns, blocks,
         coalesce(round(blocks / nullif(blocks_per_sm, 0)), (SELECT sms FROM device)) AS sms
  FROM sized JOIN source ON true JOIN span s ON s.run_id = source.run_id AND s.id = sized.id
  WHERE s.type = 'kernel' AND s.duration_ns > 0 AND blocks > 0 AND NOT regexp_matches(lower(s.name), '[nr]ccl')),
by_name AS (
  SELECT name, max(sms) AS sms, count(*) FILTER (blocks < sms) / count(*) AS small_kernels,
         coalesce(sum(duration_ns) FILTER (blocks < sms), 0) / sum(duration_ns) AS small_share,
         coalesce(sum(duration_ns * (1 - blocks / sms)) FILTER (blocks < sms), 0) / sum(duration_ns) AS idle_share
  FROM launched WHERE sms > 0 GROUP BY name),
called AS (
  SELECT k.name, k.duration_ns, b.* EXCLUDE (name) FROM kernel k LEFT JOIN by_name b USING (name)
  WHERE point_id = $point AND type = 'kernel' AND k.duration_ns > 0),
longest AS (
  SELECT name FROM called WHERE small_share > 0 GROUP BY name ORDER BY sum(duration_ns * small_share) DESC, name LIMIT 1)
SELECT sum(duration_ns * small_share) / sum(duration_ns) AS small_share, max(sms)::BIGINT AS sms,
       round(sum(small_kernels))::BIGINT AS kernels, count(*) AS all_kernels,
       1 - sum(duration_ns * idle_share) / sum(duration_ns * small_share) AS used_share,
       (SELECT name FROM longest) AS name
FROM called HAVING sum(duration_ns * small_share) >= $matters * sum(duration_ns)
