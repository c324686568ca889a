// The kernel's keyrings belong to a user and a session, not to a namespace: what one sandbox writes there the next one of the
// same user reads. Two judged runs could tell each other what the tests said, and a judged run the next agent.

/** Programs for seccomp are instructions of four fields. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

const [LOAD, AND, IF_EQUAL, IF_AT_LEAST, IF_MORE, RETURN] = [0x20, 0x54, 0x15, 0x35, 0x25, 0x06]
const [NUMBER, ARCHITECTURE] = [0, 4]
const ALLOW = 0x7fff0000
/** "There is no such call", as on a kernel without keyrings. */
const NO_SUCH_CALL = 0x00050000 | 38
/** Calls of x32 are those of x86-64 with one more bit. */
const WITHOUT_X32 = 0xbfffffff

/** add_key, request_key and keyctl, which follow each other, by the kernel's name of the architecture. */
const KEY_CALLS = [
  { architecture: 0xc000003e, first: 248, last: 250 },
  { architecture: 0x40000003, first: 286, last: 288 },
  { architecture: 0xc00000b7, first: 217, last: 219 },
  { architecture: 0x40000028, first: 309, last: 311 },
] as const

/** A filter for bwrap: every call is allowed but those of keyrings, on x86-64, i386, arm64 and arm. */
export function withoutKeyrings(): Buffer {
  const program = KEY_CALLS.flatMap(({ architecture, first, last }): Instruction[] => [
    [IF_EQUAL, 0, 6, architecture],
    [LOAD, 0, 0, NUMBER],
    [AND, 0, 0, WITHOUT_X32],
    [IF_AT_LEAST, 0, 2, first],
    [IF_MORE, 1, 0, last],
    [RETURN, 0, 0, NO_SUCH_CALL],
    [RETURN, 0, 0, ALLOW],
  ])
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
