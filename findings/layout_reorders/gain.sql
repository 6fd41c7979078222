-- The first and the last reorder take the input into the library's format and the result out of it.
WITH reorders AS (
  SELECT kernel_index, min(kernel_index) OVER () AS first_index, max(kernel_index) OVER () AS last_index
  FROM kernel WHERE point_id = $point AND name LIKE 'reorder%')
SELECT piece, CASE WHEN is_inner THEN duration_ns / 2 ELSE 0 END AS low_ns,
       CASE WHEN is_inner THEN duration_ns ELSE 0 END AS ns, duration_ns AS high_ns
FROM (SELECT p.piece, p.duration_ns, kernel_index NOT IN (first_index, last_index) AS is_inner
      FROM reorders JOIN kernel_piece p USING (kernel_index) WHERE p.point_id = $point)
