/** A name of the browser's types that the SDK of the former generation uses. */
type HeadersInit = NonNullable<RequestInit["headers"]>;
/** Another one, of the signer of requests to storage. */
type BodyInit = NonNullable<RequestInit["body"]>;
