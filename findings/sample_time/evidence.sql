SELECT sum(mean_ns) AS sample_ns, sum(mean_ns) FILTER (stage = 'preprocess') / sample_ns AS before_share,
       arg_max(step, mean_ns) FILTER (stage = 'preprocess') AS longest_step,
       max(mean_ns) FILTER (stage = 'preprocess') AS longest_ns,
       sum(mean_ns) FILTER (stage = 'predict') / sample_ns AS model_share
FROM pipeline_step WHERE point_id = $point
HAVING sample_ns > 0 AND before_share IS NOT NULL AND model_share IS NOT NULL
