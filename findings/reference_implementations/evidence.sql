-- oneDNN names its fallbacks "ref:any" or "ref_int8:...", also behind the engine ("gemm:ref:...").
WITH kernels AS (
  SELECT *, implementation LIKE 'ref%' OR implementation LIKE '%:ref:%' AS is_reference
  FROM kernel WHERE point_id = $point)
SELECT count(*) FILTER (is_reference) AS calls,
       arg_min(name, kernel_index) FILTER (is_reference) AS name,
       sum(duration_ns) FILTER (is_reference) AS reference_ns,
       sum(duration_ns) AS kernel_ns,
       reference_ns / kernel_ns AS share
FROM kernels HAVING share >= $matters
