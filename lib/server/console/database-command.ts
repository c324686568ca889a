import type { Command } from 'commander'
import { moveDatabase } from '../care/with-server-database.ts'
import { printJson, printText } from './output.ts'

/** `proofboard database move`: from the file in the data folder to a PostgreSQL server. */
export function addDatabaseCommand(program: Command): void {
  const database = program.command('database').description('the database of this server')
  database
    .command('move')
    .description(
      'copy the SQLite database into an empty PostgreSQL database; stop the server first',
    )
    .requiredOption('--to <url>', 'postgresql://user:password@host:5432/name')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(move)
}

async function move({ to, json }: { to: string; json?: boolean }): Promise<void> {
  const { tables } = await moveDatabase(to)
  if (json) return printJson({ tables })
  for (const { table, rows, digest } of tables) printText(`${table}: ${rows} rows, ${digest}`)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  printText(`moved ${rows} rows of ${tables.length} tables, each equal by count and digest`)
  printText('start the server with DATABASE_URL set to this address; the file is not changed')
}
