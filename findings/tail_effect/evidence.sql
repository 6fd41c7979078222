-- Kernels whose last wave of blocks leaves multiprocessors (SMs) idle.
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
-- Blocks that a multiprocessor holds at once, as NVIDIA's occupancy calculator computes it: 65,536 registers in four
-- parts, given to warps by 256; 1 KiB of shared memory for each block is CUDA's own.
resident AS (
  SELECT *, ceil(threads / 32) AS warps,
         least(sm_blocks, floor(sm_warps / ceil(threads / 32)),
               floor(4 * floor(16384 / (ceil(greatest(registers, 1) * 32 / 256) * 256)) / ceil(threads / 32)),
               floor(sm_kib * 1024 / (shared_bytes + 1024))) AS sm_resident
  FROM sized, device WHERE registers IS NOT NULL AND threads > 0 AND blocks > 0),
launched AS (
  SELECT s.name, s.duration_ns, blocks,
         blocks / (coalesce(round(blocks / nullif(blocks_per_sm, 0)), sms) * sm_resident) AS waves,
         CASE WHEN waves > 1 THEN 1 - waves / ceil(waves) ELSE 0 END AS tail_share
  FROM resident JOIN source ON true JOIN span s ON s.run_id = source.run_id AND s.id = resident.id
  WHERE s.type = 'kernel' AND s.duration_ns > 0 AND sm_resident >= 1),
by_name AS (
  SELECT name, sum(duration_ns * tail_share) / sum(duration_ns) AS tail_share, max_by(waves, duration_ns * tail_share) AS waves
  FROM launched GROUP BY name),
called AS (
  SELECT k.name, k.duration_ns, b.tail_share, b.waves FROM kernel k LEFT JOIN by_name b USING (name)
  WHERE point_id = $point AND type = 'kernel' AND k.duration_ns > 0),
longest AS (
  SELECT name, any_value(waves) AS waves FROM called WHERE tail_share > 0
  GROUP BY name ORDER BY sum(duration_ns * tail_share) DESC, name LIMIT 1)
SELECT sum(duration_ns * tail_share) / sum(duration_ns) AS tail_share, count(*) FILTER (tail_share > 0) AS kernels,
       kernels > 1 AS are_several,
       (SELECT name FROM longest) AS name, (SELECT waves FROM longest) AS waves
FROM called HAVING sum(duration_ns * tail_share) >= $matters * sum(duration_ns)
