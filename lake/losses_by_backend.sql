-- What could not be read or recorded, over all runs of a store: which diagnostics, in how many experiments.
--
-- A run belongs to the backend of its point. Runs without a point are left out.
--
-- columns:
--   backend: framework and version
--   diagnostic: its name; the table diagnostic of a run has an example and what to do
--   kind: loss, note, or unknown: stored by a version that did not tell them apart
--   experiments: in which it occurs
--   occurrences: how often
WITH named AS (
  SELECT r.experiment AS experiment, r.path AS path, min(p.backend) AS backend
  FROM run AS r JOIN point AS p ON r.experiment = p.experiment AND r.point_id = p.point_id
  GROUP BY r.experiment, r.path),
found AS (
  SELECT experiment, path, name AS diagnostic, coalesce(kind, 'unknown') AS kind, count AS times FROM diagnostic)
SELECT n.backend AS backend, f.diagnostic AS diagnostic, f.kind AS kind, count(DISTINCT f.experiment) AS experiments,
       sum(f.times) AS occurrences
FROM found AS f JOIN named AS n ON f.experiment = n.experiment AND f.path = n.path
GROUP BY n.backend, f.diagnostic, f.kind
ORDER BY occurrences DESC, backend, diagnostic, kind
