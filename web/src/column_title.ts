// The heading of a column: its name in words, without the unit that stands beside it.

/** How the names of columns spell a unit. */
const kSpelled: Record<string, readonly string[]> = {
  ns: ['ns', 'nanoseconds'], us: ['us', 'microseconds'], ms: ['ms', 'milliseconds'], s: ['s', 'seconds'], min: ['min', 'minutes'], h: ['h', 'hours'],
  byte: ['bytes', 'byte'], MB: ['mb'], GB: ['gb'], MiB: ['mib'], GiB: ['gib'],
  'byte/s': ['bytes_per_s'], 'MB/s': ['mb_per_s'], 'GB/s': ['gb_per_s'], 'Mbit/s': ['mbps', 'mbit_per_s'], 'Gbit/s': ['gbps', 'gbit_per_s'],
  'flop/s': ['flops_per_s'], 'Gflop/s': ['gflops_per_s'], 'flop/byte': ['flops_per_byte'], 'item/s': ['per_s'], '1/s': ['per_s'],
  '%': ['percent', 'pct'], percent: ['percent', 'pct'], Hz: ['hz'], joule: ['joules', 'joule', 'j'], watt: ['watts', 'watt', 'w'],
};

/** What a name that says nothing but its unit means. */
const kMeant: Record<string, string> = {
  ns: 'time', us: 'time', ms: 'time', s: 'time', min: 'time', h: 'time', byte: 'data', '%': 'share', percent: 'share',
  'flop/s': 'throughput', 'Gflop/s': 'throughput', 'flop/byte': 'intensity', 'byte/s': 'bandwidth',
};

const kCased: Record<string, string> = {
  cpu: 'CPU', gpu: 'GPU', pcie: 'PCIe', nvlink: 'NVLink', flops: 'FLOPs', gflops: 'GFLOPs', dram: 'DRAM', numa: 'NUMA', sql: 'SQL', id: 'ID', amdahl: 'Amdahl', gustafson: 'Gustafson', 'l2': 'L2',
};

/** "gpu_memory_mb_sum" in "MB" is "GPU memory sum", "seconds" in "s" is "time". */
export function columnTitle(name: string, unit: string): string {
  return named(withoutUnit(name, unit) || kMeant[unit] || name);
}

function withoutUnit(name: string, unit: string): string {
  for (const spelled of kSpelled[unit] ?? []) {
    if (name === spelled) return '';
    if (name.endsWith(`_${spelled}`)) return name.slice(0, -spelled.length - 1);
    // A letter or two in the middle may mean anything.
    const at = spelled.length > 1 ? name.lastIndexOf(`_${spelled}_`) : -1;
    if (at >= 0) return name.slice(0, at) + name.slice(at + spelled.length + 1);
  }
  return name;
}

function named(name: string): string {
  return name.split('_').map((word) => kCased[word] ?? word).join(' ');
}
