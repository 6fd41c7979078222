-- Chains: element-wise operators that run one after another and write tensors of one large shape. Where only the shapes
-- of several values are known, the last one is that of the output.
WITH ordered AS (
  SELECT layer_index, name, rtrim(regexp_replace(lower(type), '^.*::', ''), '_') AS kind, work_ns,
         regexp_extract(shape, '(\[[0-9,]+\])\]*$', 1) AS output_shape,
         list_product([x::DOUBLE FOR x IN regexp_extract_all(output_shape, '[0-9]+')]) AS elements
  FROM layer JOIN layer_time USING (point_id, layer_index) WHERE point_id = $point AND work_ns > 0),
elementwise AS (
  SELECT *, layer_index - row_number() OVER (PARTITION BY output_shape ORDER BY layer_index) AS chain,
         kind NOT IN ('elu', 'erf', 'exp', 'expm1', 'gelu', 'log', 'log1p', 'log2', 'mish', 'pow', 'power', 'rsqrt',
                      'selu', 'sigmoid', 'silu', 'softplus', 'sqrt', 'tanh') AS is_cheap
  FROM ordered
  WHERE elements >= $large
    AND kind IN (
      'abs', 'add', 'addcdiv', 'addcmul', 'addv2', 'biasadd', 'broadcast_add', 'broadcast_div', 'broadcast_mul',
      'broadcast_sub', 'ceil', 'clamp', 'clamp_max', 'clamp_min', 'clip', 'div', 'divide', 'elemwise_add',
      'elemwise_div', 'elemwise_mul', 'elemwise_sub', 'floor', 'hardsigmoid', 'hardswish', 'hardtanh', 'leaky_relu',
      'leakyrelu', 'lerp', 'masked_fill', 'max_scalar', 'maximum', 'min_scalar', 'minimum', 'mul', 'multiply', 'neg',
      'realdiv', 'reciprocal', 'relu', 'relu6', 'round', 'rsub', 'select_v2', 'selectv2', 'sign', 'square',
      'squareddifference', 'sub', 'subtract', 'threshold', 'true_divide', 'where', '_div_scalar', '_minus_scalar',
      '_mul_scalar', '_plus_scalar', '_rdiv_scalar', '_rminus_scalar',
      'elu', 'erf', 'exp', 'expm1', 'gelu', 'log', 'log1p', 'log2', 'mish', 'pow', 'power', 'rsqrt', 'selu', 'sigmoid',
      'silu', 'softplus', 'sqrt', 'tanh')),
-- What an operator of this size takes to read and write its tensors: one of a single instruction for each element.
moved AS (
  SELECT *, count(*) OVER in_chain AS operators, count(*) FILTER (is_cheap) OVER in_chain AS cheap_operators,
         avg(work_ns) FILTER (is_cheap) OVER in_chain AS cheap_ns
  FROM elementwise WINDOW in_chain AS (PARTITION BY output_shape, chain)),
-- What the operating system took of the cores' time where a call has many page faults, as operating_system_time has it:
-- memory that is kept saves this part without a change of the model.
faulting AS (
  SELECT coalesce(sum(s.waited_ns) FILTER (r.threads <= p.cores), 0) AS others_ns,
         CASE WHEN avg(s.page_faults) >= $many_faults AND sum(s.system_ns) <= sum(s.latency_ns * p.cores)
                AND NOT EXISTS (SELECT 1 FROM point_time WHERE point_id = $point AND has_device)
              THEN sum(s.system_ns) / greatest(sum(s.latency_ns * p.cores) - others_ns, sum(s.system_ns))
              ELSE 0 END AS of_system
  FROM sample s JOIN run r USING (run_id) JOIN point p USING (point_id)
  WHERE p.point_id = $point AND r.rung = 'model' AND coalesce(s.rung, r.rung) = r.rung),
chained AS (
  SELECT *, CASE WHEN is_cheap THEN work_ns ELSE least(work_ns, cheap_ns) END AS bytes_ns,
         (bytes_ns * (1 - coalesce(of_system, 0)) + (work_ns - bytes_ns) / 2) * (1 - 1 / operators) AS saved_ns
  FROM moved, faulting WHERE operators >= $long AND cheap_operators >= 2),
whole AS (
  SELECT count(*) AS operators, count(DISTINCT (output_shape, chain)) AS chains, sum(work_ns) AS chain_ns,
         sum(saved_ns) AS saved_ns
  FROM chained),
longest AS (
  SELECT any_value(operators) AS longest_operators, any_value(output_shape) AS shape,
         string_agg(kind, ', ' ORDER BY layer_index) AS kinds, min_by(name, layer_index) AS first_layer
  FROM chained GROUP BY output_shape, chain ORDER BY sum(saved_ns) DESC, min(layer_index) LIMIT 1)
SELECT chains, chains = 1 AS is_one, operators, chain_ns,
       chain_ns / CASE WHEN has_device THEN device_work_ns ELSE layer_whole_ns END AS share,
       longest_operators, kinds, shape, first_layer
FROM whole, longest, point_time
WHERE point_id = $point AND saved_ns >= $matters * CASE WHEN has_device THEN device_work_ns ELSE layer_whole_ns END
