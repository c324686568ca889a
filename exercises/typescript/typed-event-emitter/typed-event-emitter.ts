export type Occurrence<Events> = { event: any; args: any }

export class TypedEventEmitter<Events> {
  on(event: any, listener: any): any {
    throw new Error('Remove this line and implement the function')
  }

  once(event: any, listener: any): any {
    throw new Error('Remove this line and implement the function')
  }

  off(event: any, listener: any): any {
    throw new Error('Remove this line and implement the function')
  }

  onAny(listener: any): any {
    throw new Error('Remove this line and implement the function')
  }

  emit(event: any, ...args: any): any {
    throw new Error('Remove this line and implement the function')
  }

  listenerCount(event: any): any {
    throw new Error('Remove this line and implement the function')
  }
}
