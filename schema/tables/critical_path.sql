CREATE TABLE critical_path (
  run_id BIGINT NOT NULL, rank BIGINT, step BIGINT, kind VARCHAR NOT NULL, name VARCHAR NOT NULL,
  segments BIGINT NOT NULL, duration_ns BIGINT NOT NULL);
COMMENT ON TABLE critical_path IS 'The longest chain of dependent work of each step, by kind and name';
COMMENT ON COLUMN critical_path.run_id IS 'The run';
COMMENT ON COLUMN critical_path.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN critical_path.step IS 'Number of the step; NULL: the whole run, if it has no steps';
COMMENT ON COLUMN critical_path.kind IS 'host (operators, calls, and between them), launch (from the start of the launch to that of its work), compute, communication, copy, synchronisation (in waiting calls, after the work had ended), gap (between the previous work and this, or nothing recorded)';
COMMENT ON COLUMN critical_path.name IS 'Operator, call, range or kernel; for launch and gap the kernel that starts; (between operators); (nothing recorded); (other names): all beyond the step''s 100 longest';
COMMENT ON COLUMN critical_path.segments IS 'Segments of the path';
COMMENT ON COLUMN critical_path.duration_ns IS 'Their time on the path, ns; all rows of a step add up to the step';
