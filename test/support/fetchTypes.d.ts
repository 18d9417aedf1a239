/** A name of the browser's types that the SDK of the former generation uses. */
type HeadersInit = NonNullable<RequestInit["headers"]>;
