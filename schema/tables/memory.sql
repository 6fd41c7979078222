CREATE TABLE memory_level (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, time_ns BIGINT NOT NULL, until_ns BIGINT NOT NULL,
  allocated_low_bytes DOUBLE NOT NULL, allocated_high_bytes DOUBLE NOT NULL, reserved_bytes DOUBLE,
  provenance VARCHAR NOT NULL);
COMMENT ON TABLE memory_level IS 'Allocated memory over time (at most 2,000 segments per device)';
COMMENT ON COLUMN memory_level.run_id IS 'The run';
COMMENT ON COLUMN memory_level.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN memory_level.device IS 'Device ordinal; NULL: memory of the host';
COMMENT ON COLUMN memory_level.time_ns IS 'Start of the segment, ns on the run''s clock';
COMMENT ON COLUMN memory_level.until_ns IS 'End of the segment, ns';
COMMENT ON COLUMN memory_level.allocated_low_bytes IS 'Minimum of allocated memory in the segment, bytes';
COMMENT ON COLUMN memory_level.allocated_high_bytes IS 'Maximum of allocated memory in the segment, bytes';
COMMENT ON COLUMN memory_level.reserved_bytes IS 'Maximum that the allocator reserved in the segment, bytes; NULL: not known';
COMMENT ON COLUMN memory_level.provenance IS 'reported:allocator: its totals; analytic: sum of allocations and frees, starting from the memory that was freed but not allocated in the recording';

CREATE TABLE memory_holder (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, peak_ns BIGINT NOT NULL, operator VARCHAR NOT NULL,
  module VARCHAR, allocations BIGINT NOT NULL, bytes DOUBLE NOT NULL, freed_by VARCHAR NOT NULL);
COMMENT ON TABLE memory_holder IS 'Operators that hold the memory allocated at the peak (the 1,000 largest of each device)';
COMMENT ON COLUMN memory_holder.run_id IS 'The run';
COMMENT ON COLUMN memory_holder.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN memory_holder.device IS 'Device ordinal; NULL: memory of the host';
COMMENT ON COLUMN memory_holder.peak_ns IS 'Time of the maximum, ns on the run''s clock';
COMMENT ON COLUMN memory_holder.operator IS 'Outermost operator that allocated it; (no operator); (before recording): not allocated in the recording; (freed unseen): below 0, frees are missing; (smaller): the rest';
COMMENT ON COLUMN memory_holder.module IS 'Innermost module around that operator; NULL: none';
COMMENT ON COLUMN memory_holder.allocations IS 'Allocations that are not yet freed; (before recording): 0';
COMMENT ON COLUMN memory_holder.bytes IS 'Their sum, bytes; all rows of a device add up to what is allocated at the peak';
COMMENT ON COLUMN memory_holder.freed_by IS 'How frees are matched with allocations: address, or size (the trace has no addresses: the latest allocation of that size)';
