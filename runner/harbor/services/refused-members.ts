const SHARED = 'shares the system of this machine or of another container'
const OUTSIDE = 'takes files or secrets from outside of its container'

/** Members of a service that reach out of its container, with what they do. */
const REFUSED: Readonly<Record<string, string>> = {
  cap_add: 'asks for rights of this machine’s root',
  cgroup: SHARED,
  cgroup_parent: SHARED,
  configs: OUTSIDE,
  credential_spec: OUTSIDE,
  device_cgroup_rules: 'asks for devices of this machine',
  devices: 'asks for devices of this machine',
  env_file: 'reads variables from a file: list them under environment',
  extends: 'takes parts of another file: write them into this one',
  external_links: SHARED,
  extra_hosts: 'names hosts outside of the task',
  gpus: 'asks for devices of this machine',
  ipc: SHARED,
  links: 'has links: other services are reached by their names',
  pid: SHARED,
  privileged: 'is privileged, which would give it this machine',
  runtime: 'chooses another container runtime',
  secrets: OUTSIDE,
  security_opt: 'changes how containers are separated',
  sysctls: 'changes settings of the kernel',
  use_api_socket: 'asks for the socket of docker',
  userns_mode: SHARED,
  uts: SHARED,
  volumes_from: OUTSIDE,
}

/** Members without effect on what a service does inside, or that every attempt has of its own. */
const IGNORED = new Set([
  ...['attach', 'container_name', 'cpu_shares', 'expose', 'labels', 'logging', 'mem_reservation'],
  ...['mem_swappiness', 'memswap_limit', 'platform', 'ports', 'pull_policy', 'restart'],
  ...['stdin_open', 'tty', 'annotations', 'oom_score_adj'],
])

/**
 * Returns the members of a service that are read. Throws an Error for one that reaches out of its container, or that is not
 * known.
 */
export function refuseMembers(
  raw: Readonly<Record<string, unknown>>,
  known: { has: (name: string) => boolean },
): Record<string, unknown> {
  const members = Object.entries(raw).filter(
    ([name]) => !IGNORED.has(name) && !name.startsWith('x-'),
  )
  for (const [name, value] of members) {
    const reason = findReason(name, value)
    if (reason !== null) throw new Error(reason)
  }
  const kept = members.filter(([name]) => !Object.hasOwn(REFUSED, name))
  const unknown = kept.find(([name]) => !known.has(name))
  if (unknown) throw new Error(`has ${unknown[0].slice(0, 60)}, which is not supported`)
  return Object.fromEntries(kept)
}

/** Returns why a member is refused; null = it is not, or it is empty. */
function findReason(name: string, value: unknown): string | null {
  const reason = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined
  if (reason === undefined || isEmpty(value)) return null
  return reason.includes(':') ? `${reason} (${name})` : `${reason}: remove ${name}`
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
