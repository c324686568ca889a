import type { AuditDocument, AuditedAttack } from '#lib/domain/audit/audit-document.ts'
import { countAudit, countByClass } from '#lib/domain/audit/count-audit.ts'

/** An audit for a terminal: classes by result, then each attack that paid or went unnamed, then the sum. */
export function renderAudit(document: AuditDocument): string {
  const classes = countByClass(document).map(
    ({ title, attacks, paid, unnamed, named, prevented }) =>
      [title, attacks, paid, unnamed, named, prevented].map(String),
  )
  const bad = document.attacks.flatMap(describeBad)
  const skipped = [...new Set(document.skipped.map(({ reason }) => reason))].map((reason) => {
    const own = document.skipped.filter((one) => one.reason === reason)
    const pairs = own.reduce((sum, { tasks }) => sum + tasks, 0)
    return `skipped: ${pairs} pairs of ${own.length} attacks (${reason})`
  })
  return [...table([HEAD, ...classes]), ...bad, ...skipped, sumLine(document)].join('\n')
}

const HEAD = ['class', 'attacks', 'paid', 'unnamed', 'named', 'prevented']

/** One line for an attack as it ends. */
export function attackLine({ name, outcomes }: AuditedAttack): string {
  const worst = outcomes.find(({ result }) => result === 'paid' || result === 'unnamed')
  const parts = outcomes.map(
    ({ result, observed, tasks }) => `${result} ${tasks.length} (${observed})`,
  )
  return `${worst ? 'OPEN  ' : 'closed'} ${name}: ${parts.join('; ') || 'no task offers anything to it'}`
}

function describeBad({ name, class: attackClass, outcomes }: AuditedAttack): string[] {
  return outcomes
    .filter(({ result }) => result === 'paid' || result === 'unnamed')
    .map(
      ({ result, observed, tasks }) =>
        `${result.toUpperCase()} ${attackClass}/${name}: ${observed} (${tasks.join(', ')})`,
    )
}

function sumLine(document: AuditDocument): string {
  const { attacks, classes, tasks, pairs, solved, unnamed } = countAudit(document)
  const { isolation, asRoot } = document
  return `${attacks} attacks of ${classes} classes on ${tasks} tasks (${pairs} pairs): ${solved} paid, ${unnamed} unnamed; isolation ${isolation}${asRoot ? ', as root' : ''}`
}

function table(lines: readonly string[][]): string[] {
  const widths = HEAD.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
