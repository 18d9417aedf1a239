// Headings that the vendors' standard downloads always have and that no figure is read from: reports leave them out. A column
// that a shop or a user has added is not among them.

const list = (headings: string): readonly string[] => headings.split("|").map((heading) => heading.trim());

/** Columns of each of the two addresses of an order. */
const address = (of: string): readonly string[] =>
  list("Name|Street|Address1|Address2|Company|City|Zip|Province|Province Name|Country|Phone").map(
    (part) => `${of} ${part}`,
  );

export const SHOPIFY = [
  ...list("Paid at|Fulfilled at|Accepts Marketing|Shipping Method|Notes|Note Attributes|Phone"),
  ...list("Lineitem compare at price|Lineitem requires shipping|Lineitem taxable|Lineitem fulfillment status"),
  ...list("Payment Reference|Payment References|Payment ID|Payment Terms Name|Next Payment Due At|Outstanding Balance"),
  ...list("Employee|Location|Device ID|Tags|Risk Level|Receipt Number|Duties"),
  ...address("Billing"),
  ...address("Shipping"),
  ...[1, 2, 3, 4, 5].flatMap((no) => [`Tax ${no} Name`, `Tax ${no} Value`]),
];

export const VTEX = [
  ...list("Client Name|Client Last Name|Phone|Corporate Name|Corporate Document|Call Center Email|Call Center Code"),
  ...list("Address Identification|Address Type|Receiver Name|Street|Number|Complement|Neighborhood|Reference"),
  ...list(
    "SLA Type|Courrier|Estimate Delivery Date|Delivery Deadline|Delivered|Tracking Number|Host|Obs|Status TimeLine",
  ),
  ...list("Payment Value|Payment Approved By|PaymentId|PaymentOrigin|TransactionId|Acquirer|Authorization Id|TID|NSU"),
  ...list("Card First Digits|Card Last Digits|Gift Card Name|Gift Card Caption|GiftRegistry ID|Discounts Names"),
  ...list(
    "Reference Code|SKU Path|SKU RewardValue|Item Attachments|List Id|List Type Name|Service (Price/ Selling Price)",
  ),
  ...list("Shipping List Price|Seller Name|UtmiPart|UtmiPage|Cancelled By|Cancellation Reason|Is Checked In"),
  ...list("Is Marketplace cetified|Is Marketplace certified"),
  ...list("Invoice Numbers|Input Invoices Numbers|Output Invoices Numbers"),
];

/** The columns of the preset *Performance*, and those of every view. */
export const META = [
  ...list(
    "Campaign delivery|Ad set delivery|Ad delivery|Delivery status|Delivery level|Attribution setting|Bid|Bid type",
  ),
  ...list("Result type|Result indicator|Results|Cost per result|Cost per results|Ends|Starts|Last significant edit"),
  ...list("Ad set budget|Ad set budget type|Campaign budget|Campaign budget type|Budget|Account name"),
  ...list("Quality ranking|Engagement rate ranking|Conversion rate ranking"),
  ...list("Veiculação da campanha|Veiculação do conjunto de anúncios|Veiculação do anúncio|Status da veiculação"),
  ...list(
    "Nível da veiculação|Configuração de atribuição|Lance|Tipo de lance|Tipo de resultado|Indicador de resultados",
  ),
  ...list("Resultados|Custo por resultado|Custo por resultados|Término|Início|Última edição significativa"),
  ...list("Orçamento do conjunto de anúncios|Tipo de orçamento do conjunto de anúncios|Orçamento da campanha"),
  ...list("Tipo de orçamento da campanha|Orçamento|Nome da conta"),
  ...list("Classificação de qualidade|Classificação da taxa de engajamento|Classificação da taxa de conversão"),
];

/** The columns of a report of campaigns as it is before a user changes them. */
export const GOOGLE_ADS = [
  ...list("Status|Status reasons|Budget|Budget name|Budget type|Optimization score|Account|Customer ID|Customer"),
  ...list("CTR|Avg. CPC|Avg. CPM|Avg. cost|Interactions|Interaction rate|Cost / conv.|Conv. rate|Cost / all conv."),
  ...list(
    "Motivos do status|Orçamento|Nome do orçamento|Tipo de orçamento|Índice de otimização|Conta|ID do cliente|Cliente",
  ),
  ...list(
    "CPC méd.|CPM méd.|Custo méd.|Interações|Taxa de interação|Custo / conv.|Taxa de conv.|Custo / todas as conv.",
  ),
];
