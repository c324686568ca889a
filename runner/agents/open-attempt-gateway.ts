import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Subject } from '#lib/domain/subject.ts'
import type { GatewayDoor } from '../isolation/isolation.ts'
import type { Gateway, GatewayTurn, OpenGateway } from './gateway-port.ts'
import type { Protocol } from './protocols.ts'

/** An open gateway and the door that a sandbox needs to reach it. */
export type AttemptGateway = Gateway & { door: GatewayDoor | null }

/** Who speaks through it, to whom, with whose key. */
export type GatewayParts = {
  subject: Pick<Subject, 'name' | 'version' | 'modelRequested'>
  provider: { name: string; protocol: Protocol }
  openGateway: OpenGateway
  /** The provider's real key; null for the scripted model. */
  key: string | null
}

/** Opens the gateway of one attempt, with the pins and budgets of its plan, where the subject's isolation can reach it. */
export async function openAttemptGateway(
  { subject, provider, openGateway, key }: GatewayParts,
  turn: GatewayTurn & { folder: string; signal: AbortSignal },
): Promise<AttemptGateway> {
  const { temperature, maxSteps, maxTokens, maxCostMicroUsd } = turn.settings
  const door = await makeDoor(turn)
  const seenAs = `http://127.0.0.1:${door ? turn.isolation.gatewayPort(door) : 0}`
  const gateway = await openGateway({
    protocol: provider.protocol,
    provider: provider.name,
    model: subject.modelRequested ?? '',
    pins: { temperature },
    budgets: { maxSteps, maxTokens, maxCostMicroUsd },
    signal: turn.signal,
    turn,
    agent: { name: subject.name, version: subject.version },
    listen: door ? { kind: 'socket', path: door.socketPath, seenAs } : { kind: 'loopback' },
    key,
  })
  return { ...gateway, door }
}

/** A socket in a folder that only the runner may enter; without walls the agent reaches the loopback by itself. */
async function makeDoor({
  isolation,
  folder,
}: GatewayTurn & { folder: string }): Promise<GatewayDoor | null> {
  if (isolation.level === 'local') return null
  const place = join(folder, 'door')
  await mkdir(place, { mode: 0o700 })
  return { socketPath: join(place, 'gw.sock'), port: 0 }
}
