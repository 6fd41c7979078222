-- The share of kernel time that memory bounds, by the architecture of the device.
--
-- A kernel is memory-bound if its FLOPs per byte are below the ridge of its roofline (as in analysis A8): the peak of its
-- data type and unit over the bandwidth, of the roofs that its experiment uses. Times are those of one model call of
-- each point: every point counts once, however often it was called.
--
-- columns:
--   architecture: of the GPU (compute capability, else its name) or of the CPU
--   points: points with kernels
--   kernel_ns: kernel time of one call of each point, added up, ns
--   memory_ns: of kernels that memory bounds, ns
--   compute_ns: of kernels that arithmetic bounds, ns
--   unknown_ns: of kernels whose FLOPs, bytes or roofs are not known, ns
--   memory_share: memory_ns / (memory_ns + compute_ns); NULL: neither is known
WITH peak AS (
  SELECT experiment, dtype, unit, max(value) AS peak_flops_per_s
  FROM roof WHERE kind = 'flops' AND used GROUP BY experiment, dtype, unit),
bandwidth AS (
  SELECT experiment, max(value) AS peak_bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used GROUP BY experiment),
placed AS (
  SELECT k.experiment AS experiment, k.point_id AS point_id, k.duration_ns AS duration_ns,
         k.flops / nullif(k.read_bytes + k.write_bytes, 0) AS intensity,
         f.peak_flops_per_s / nullif(b.peak_bytes_per_s, 0) AS ridge
  FROM kernel AS k
  LEFT JOIN peak AS f ON k.experiment = f.experiment AND k.dtype = f.dtype AND k.unit = f.unit
  LEFT JOIN bandwidth AS b ON k.experiment = b.experiment
  WHERE k.duration_ns > 0),
by_point AS (
  SELECT experiment, point_id, sum(duration_ns) AS kernel_ns,
         sum(CASE WHEN intensity = 0 OR intensity < ridge THEN duration_ns ELSE 0 END) AS memory_ns,
         sum(CASE WHEN intensity > 0 AND intensity >= ridge THEN duration_ns ELSE 0 END) AS compute_ns
  FROM placed GROUP BY experiment, point_id),
by_architecture AS (
  SELECT CASE WHEN p.device LIKE 'cpu%' THEN coalesce(e.cpu_architecture, 'unknown CPU')
              ELSE coalesce(e.gpu_architecture, e.gpu_model, 'unknown GPU') END AS architecture,
         count(*) AS points, sum(k.kernel_ns) AS kernel_ns, sum(k.memory_ns) AS memory_ns, sum(k.compute_ns) AS compute_ns
  FROM by_point AS k
  JOIN point AS p ON k.experiment = p.experiment AND k.point_id = p.point_id
  JOIN experiment AS e ON k.experiment = e.experiment
  GROUP BY CASE WHEN p.device LIKE 'cpu%' THEN coalesce(e.cpu_architecture, 'unknown CPU')
                ELSE coalesce(e.gpu_architecture, e.gpu_model, 'unknown GPU') END)
SELECT architecture, points, kernel_ns, memory_ns, compute_ns, kernel_ns - memory_ns - compute_ns AS unknown_ns,
       memory_ns / nullif(memory_ns + compute_ns, 0) AS memory_share
FROM by_architecture
ORDER BY kernel_ns DESC, architecture
