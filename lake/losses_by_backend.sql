-- What could not be read or recorded, over all runs of a store: which diagnostics, in how many experiments.
--
-- columns:
--   backend: framework and version
--   diagnostic: its name; the table diagnostic of a run has an example and what to do
--   kind: loss, note, or unknown: stored by a version that did not tell them apart
--   experiments: in which it occurs
--   occurrences: how often
WITH named AS (
  SELECT DISTINCT experiment, backend FROM point),
found AS (
  SELECT experiment, name AS diagnostic, coalesce(kind, 'unknown') AS kind, count AS times FROM diagnostic)
SELECT n.backend, f.diagnostic, f.kind, count(DISTINCT f.experiment) AS experiments, sum(f.times) AS occurrences
FROM found AS f JOIN named AS n ON f.experiment = n.experiment
GROUP BY n.backend, f.diagnostic, f.kind
ORDER BY occurrences DESC, n.backend, f.diagnostic, f.kind
