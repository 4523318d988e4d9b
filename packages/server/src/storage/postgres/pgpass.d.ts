declare module 'pgpass' {
  interface Connection {
    readonly host: string;
    readonly port: number;
    readonly database: string | undefined;
    readonly user: string | undefined;
  }
  /** Looks a password up in PGPASSFILE or ~/.pgpass. The package does not include types. */
  export default function pgpass(
    connection: Connection,
    callback: (password: string | undefined) => void,
  ): void;
}
