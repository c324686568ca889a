// Blocks system calls through which one sandbox could leave data for the next one, so that judged runs cannot pass on
// what their tests printed. Keyrings belong to a user and a session, not to a namespace; the page cache of system files
// belongs to the machine and can be read and emptied without write access.

/** A seccomp program is a list of instructions with four fields. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

const [LOAD, AND, IF_EQUAL, IF_SET, RETURN] = [0x20, 0x54, 0x15, 0x45, 0x06]
const [NUMBER, ARCHITECTURE, SIXTH_ARGUMENT] = [0, 4, 56]
const ALLOW = 0x7fff0000
const fails = (errno: number) => 0x00050000 | errno
/** ENOSYS, as on an older kernel. */
const NO_SUCH_CALL = fails(38)
/** Success without any effect, because advice may be ignored. */
const IGNORED = fails(0)
/** EOPNOTSUPP, as on file systems without support. */
const NOT_SUPPORTED = fails(95)
/** RWF_NOWAIT reads only cached data, which reveals what is cached. */
const NO_WAIT = 0x8
/** x32 system calls are those of x86-64 with one more bit. */
const WITHOUT_X32 = 0xbfffffff

/** The other io_uring calls need io_uring_setup first. */
const [IO_URING_SETUP, CACHESTAT] = [425, 451]

/** Syscall numbers by the kernel's architecture: x86-64, i386, arm64, arm. */
const CALLS = [
  { architecture: 0xc000003e, keys: [248, 249, 250], advice: [221], preadv2: 327 },
  { architecture: 0x40000003, keys: [286, 287, 288], advice: [250, 272], preadv2: 378 },
  { architecture: 0xc00000b7, keys: [217, 218, 219], advice: [223], preadv2: 286 },
  { architecture: 0x40000028, keys: [309, 310, 311], advice: [270], preadv2: 392 },
] as const

/**
 * A filter for bwrap. It allows every system call except those of keyrings and io_uring, and those that read or empty
 * the page cache. `mincore` is allowed: since Linux 5.2 it needs write access to the file.
 */
export function seccompFilter(): Buffer {
  const program = CALLS.flatMap(({ architecture, keys, advice, preadv2 }): Instruction[] => {
    const rules = [
      ...[...keys, IO_URING_SETUP, CACHESTAT].flatMap((call) => refuse(call, NO_SUCH_CALL)),
      ...advice.flatMap((call) => refuse(call, IGNORED)),
      ...refuseNoWait(preadv2),
    ]
    return [
      [IF_EQUAL, 0, rules.length + 3, architecture],
      [LOAD, 0, 0, NUMBER],
      [AND, 0, 0, WITHOUT_X32],
      ...rules,
      [RETURN, 0, 0, ALLOW],
    ]
  })
  const all: Instruction[] = [[LOAD, 0, 0, ARCHITECTURE], ...program, [RETURN, 0, 0, ALLOW]]
  const bytes = Buffer.alloc(8 * all.length)
  for (const [at, [code, ifTrue, ifFalse, value]] of all.entries()) {
    bytes.writeUInt16LE(code, 8 * at)
    bytes.writeUInt8(ifTrue, 8 * at + 2)
    bytes.writeUInt8(ifFalse, 8 * at + 3)
    bytes.writeUInt32LE(value, 8 * at + 4)
  }
  return bytes
}

function refuse(call: number, result: number): Instruction[] {
  return [
    [IF_EQUAL, 0, 1, call],
    [RETURN, 0, 0, result],
  ]
}

function refuseNoWait(preadv2: number): Instruction[] {
  return [
    [IF_EQUAL, 0, 4, preadv2],
    [LOAD, 0, 0, SIXTH_ARGUMENT],
    [IF_SET, 0, 1, NO_WAIT],
    [RETURN, 0, 0, NOT_SUPPORTED],
    [RETURN, 0, 0, ALLOW],
  ]
}
