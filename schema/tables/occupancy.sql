CREATE TABLE occupancy (
  run_id BIGINT NOT NULL, name VARCHAR NOT NULL, multiprocessors BIGINT NOT NULL, launches BIGINT NOT NULL,
  duration_ns BIGINT NOT NULL, small_launches BIGINT NOT NULL, small_ns BIGINT NOT NULL, unused_ns BIGINT NOT NULL,
  sized_ns BIGINT NOT NULL, occupancy DOUBLE, limiter VARCHAR, waves DOUBLE, tail_ns BIGINT);
COMMENT ON TABLE occupancy IS 'How far the launches of each computing kernel fill the multiprocessors of a device';
COMMENT ON COLUMN occupancy.run_id IS 'The run';
COMMENT ON COLUMN occupancy.name IS 'Name of the kernel';
COMMENT ON COLUMN occupancy.multiprocessors IS 'Multiprocessors of the device (compute units of AMD), as the file states them';
COMMENT ON COLUMN occupancy.launches IS 'Launches whose grid and block are stated';
COMMENT ON COLUMN occupancy.duration_ns IS 'Sum of their durations, ns';
COMMENT ON COLUMN occupancy.small_launches IS 'Those with fewer blocks than the device has multiprocessors';
COMMENT ON COLUMN occupancy.small_ns IS 'Sum of the durations of these, ns';
COMMENT ON COLUMN occupancy.unused_ns IS 'Part of small_ns in which multiprocessors had no block: duration times their share, ns';
COMMENT ON COLUMN occupancy.sized_ns IS 'Part of duration_ns of launches for which it is known how many blocks a multiprocessor holds at once, ns';
COMMENT ON COLUMN occupancy.occupancy IS 'Warps of these blocks over the most that a multiprocessor holds, mean over sized_ns, 0 to 1; NULL: not known';
COMMENT ON COLUMN occupancy.limiter IS 'What limits these blocks in the longest launch: blocks, threads, registers or shared memory; NULL: not known';
COMMENT ON COLUMN occupancy.waves IS 'Blocks over those that all multiprocessors hold at once, of the launch with the longest tail; NULL: not known';
COMMENT ON COLUMN occupancy.tail_ns IS 'Part of sized_ns in which the last wave leaves places empty: duration times 1 - waves / ceil(waves), ns; NULL: not known';
