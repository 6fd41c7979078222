-- Self time of functions, whatever called them: of native code, else of Python.
WITH own AS (
  SELECT c.kind, c.frame, any_value(c.module) AS module, sum(c.self_samples)::BIGINT AS samples
  FROM call_tree c JOIN run r USING (run_id) WHERE r.point_id = $point GROUP BY c.kind, c.frame),
shared AS (
  SELECT *, samples / sum(samples) OVER (PARTITION BY kind) AS share,
         (sum(samples) OVER (PARTITION BY kind))::BIGINT AS all_samples
  FROM own),
-- Native functions are shown where there are any. "(smaller)" is no function.
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY kind ORDER BY samples DESC, frame) AS place,
         first_value(kind) OVER (ORDER BY kind = 'native' DESC, samples DESC, frame) AS shown_kind
  FROM shared WHERE samples > 0 AND frame <> '(smaller)')
SELECT kind = 'native' AS is_native, frame, module, samples, share, all_samples,
       CASE WHEN all_samples < $fewest_samples THEN
         'only ' || all_samples || ' samples of call stacks: too few to compare functions' END AS abstain
FROM ranked
WHERE kind = shown_kind AND place <= 3 AND (share >= $worth_naming OR all_samples < $fewest_samples)
ORDER BY place
