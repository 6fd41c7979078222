// Writes src/schema_types.ts from schema/schema.sql, the one source of every table and column.
// `--check` writes nothing and fails when the file is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const output = fileURLToPath(new URL('../src/schema_types.ts', import.meta.url));

// The experiment tables: what a report holds. Raw tables never leave their run directory.
const experimentTables = ['point', 'run', 'sample', 'layer', 'kernel', 'match', 'roof', 'diagnostic'];

export function generate(sql) {
  const comments = new Map();
  for (const [, name, text] of sql.matchAll(/COMMENT ON (?:TABLE|COLUMN) ([\w.]+) IS '((?:[^']|'')*)';/g))
    comments.set(name, text.replaceAll("''", "'"));
  let out = '// Made from schema/schema.sql by web/tools/schema_types.mjs. Do not edit.\n';
  for (const table of experimentTables) {
    const body = new RegExp(`CREATE TABLE ${table} \\(([\\s\\S]*?)\\);`).exec(sql);
    if (!body) throw new Error(`schema.sql has no table ${table}`);
    out += `\n/** ${comments.get(table)}. */\nexport interface ${table[0].toUpperCase()}${table.slice(1)}Row {\n`;
    for (const column of body[1].split(',')) {
      const [name, type, ...rest] = column.trim().split(/\s+/);
      const ts = { BIGINT: 'number', DOUBLE: 'number', VARCHAR: 'string', BOOLEAN: 'boolean' }[type];
      if (!ts) throw new Error(`unknown type of ${table}.${name}: ${type}`);
      const nullable = rest.join(' ') === 'NOT NULL' ? '' : ' | null';
      out += `  /** ${comments.get(`${table}.${name}`)}. */\n  ${name}: ${ts}${nullable};\n`;
    }
    out += '}\n';
  }
  return out;
}

const made = generate(readFileSync(`${root}/schema/schema.sql`, 'utf8'));
if (process.argv.includes('--check')) {
  if (readFileSync(output, 'utf8') !== made) {
    console.error('web/src/schema_types.ts is stale: run `npm run schema` in web/');
    process.exit(1);
  }
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(output, made);
}
