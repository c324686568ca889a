import type { ComparedSuite, VersionDifference } from './comparison.ts'

/** Which tasks two versions do not share: changed under the same name, or in one of them only. */
export function diffVersions(from: ComparedSuite, to: ComparedSuite): VersionDifference {
  const before = new Map(from.tasks.map((task) => [task.taskId, task.digest]))
  const after = new Map(to.tasks.map((task) => [task.taskId, task.digest]))
  const [first, second] = [[...before.keys()], [...after.keys()]]
  const isOtherProtocol = from.protocolVersion !== to.protocolVersion
  return {
    from: from.digest,
    to: to.digest,
    changed: first.filter((id) => after.has(id) && after.get(id) !== before.get(id)).sort(),
    onlyFrom: first.filter((id) => !after.has(id)).sort(),
    onlyTo: second.filter((id) => !before.has(id)).sort(),
    protocol: isOtherProtocol ? { from: from.protocolVersion, to: to.protocolVersion } : null,
  }
}
