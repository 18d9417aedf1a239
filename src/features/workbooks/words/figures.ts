/**
 * The texts of figures that no table has, in Portuguese, by the English text: those that an explanation shows.
 * Formulas of nothing but names and signs need none.
 */
export const FIGURES: Readonly<Record<string, string>> = {
  "Contribution margin that was applied, 0-100: the share of revenue left after variable costs.":
    "Margem de contribuição aplicada, de 0 a 100: a parte da receita que sobra depois dos custos variáveis.",
  "100 − the items' percentages, or the one percentage of the settings; 100 without a margin":
    "100 − os percentuais dos itens, ou o percentual único da configuração; 100 sem margem",
  "Customers acquired in the period.": "Clientes adquiridos no período.",
  "customers whose first order is in the period": "clientes cujo primeiro pedido está no período",
  "customers with an order in the period and the first one before it":
    "clientes com um pedido no período e o primeiro antes dele",
  "Repeat orders: orders of a later purchase than the customer's first. A basket that the store split is one purchase.":
    "Pedidos recorrentes: pedidos de uma compra posterior à primeira do cliente. Um carrinho que a loja dividiu é uma só compra.",
  "orders of purchases after the customers' first": "pedidos de compras posteriores à primeira dos clientes",
  "investment / orders; 0 without orders": "investment / orders; 0 sem pedidos",
  "Media spend per repeat order.": "Investimento em mídia por pedido recorrente.",
  "investment / recurringOrders; 0 without repeat orders": "investment / recurringOrders; 0 sem pedidos recorrentes",
  "Lifetime value of the customers acquired in the period, from all their orders to date, whatever the period's end.":
    "Valor vitalício (LTV) dos clientes adquiridos no período, de todos os seus pedidos até hoje, qualquer que seja o fim do período.",
  "revenue to date of the period's new customers × marginPercent / 100 / newCustomers":
    "receita até hoje dos novos clientes do período × marginPercent / 100 / newCustomers",
  "no customer was acquired in the period": "nenhum cliente foi adquirido no período",
  "Lifetime value over all customers, whatever the period.":
    "Valor vitalício (LTV) de todos os clientes, qualquer que seja o período.",
  "revenue to date of all customers × marginPercent / 100 / all customers":
    "receita até hoje de todos os clientes × marginPercent / 100 / todos os clientes",
  "the organization has no customers": "a organização não tem clientes",
  "Lifetime value from orders after the calendar month of a customer's first order, to date.":
    "Valor vitalício (LTV) dos pedidos posteriores ao mês do primeiro pedido do cliente, até hoje.",
  "revenue of the period's new customers after the month of their first order × marginPercent / 100 / newCustomers":
    "receita dos novos clientes do período depois do mês do primeiro pedido × marginPercent / 100 / newCustomers",
  "Lifetime value net of acquisition cost; may be negative.":
    "Valor vitalício (LTV) menos o custo de aquisição; pode ser negativo.",
  "ltv is null": "ltv não tem valor",
  "Months until the margin of a month's new customers covers that month's media spend.":
    "Meses até a margem dos novos clientes de um mês cobrir o investimento em mídia desse mês.",
  "smallest n at which revenue of months 0 to n × marginPercent / 100 ≥ spend, per month of first orders; average by customers":
    "menor n em que a receita dos meses 0 a n × marginPercent / 100 ≥ gasto, por mês do primeiro pedido; média por clientes",
  "Conversion of the configured funnel.": "Conversão do funil configurado.",
  "events of the decision stage / events of the interest stage × 100":
    "eventos da etapa de decisão / eventos da etapa de interesse × 100",
  "there is no funnel, or no event of its interest stage": "não há funil, ou não há eventos da etapa de interesse",
  "Acquisition spend per new customer, whatever the channel.":
    "Investimento em aquisição por novo cliente, qualquer que seja o canal.",
  "acquisitionInvestment / newCustomers; 0 without new customers":
    "acquisitionInvestment / newCustomers; 0 sem novos clientes",
  "Spend on acquisition campaigns.": "Investimento em campanhas de aquisição.",
  "Σ spend of campaigns classed as acquisition": "Σ gasto das campanhas classificadas como aquisição",
  "New customers acquired by acquisition campaigns.": "Novos clientes adquiridos por campanhas de aquisição.",
  "new customers whose first order is attributed to one": "novos clientes cujo primeiro pedido é atribuído a uma delas",
  "Cost of a customer acquired by an acquisition campaign.":
    "Custo de um cliente adquirido por uma campanha de aquisição.",
  "acquisitionNewCustomers is 0": "acquisitionNewCustomers é 0",
  "Contribution of those customers in the period.": "Contribuição desses clientes no período.",
  "their revenue in the period × marginPercent / 100": "receita deles no período × marginPercent / 100",
  "their revenue to date × marginPercent / 100 / acquisitionNewCustomers":
    "receita deles até hoje × marginPercent / 100 / acquisitionNewCustomers",
  "acquisitionNewCustomers or acquisitionInvestment is 0": "acquisitionNewCustomers ou acquisitionInvestment é 0",
  "Return on acquisition spend.": "Retorno do investimento em aquisição.",
  "acquisitionInvestment is 0": "acquisitionInvestment é 0",
  "Spend on brand campaigns.": "Investimento em campanhas de marca.",
  "Σ spend of campaigns classed as brand": "Σ gasto das campanhas classificadas como marca",
  "How often brand campaigns were shown.": "Quantas vezes as campanhas de marca foram exibidas.",
  "Σ impressions of campaigns classed as brand": "Σ impressões das campanhas classificadas como marca",
  "New customers acquired by brand campaigns.": "Novos clientes adquiridos por campanhas de marca.",
  "Return on brand spend.": "Retorno do investimento em marca.",
  "brandInvestment is 0": "brandInvestment é 0",
  "Spend on monetization campaigns.": "Investimento em campanhas de monetização.",
  "Σ spend of campaigns classed as monetization": "Σ gasto das campanhas classificadas como monetização",
  "Contribution of the orders attributed to monetization campaigns, from any customer.":
    "Contribuição dos pedidos atribuídos a campanhas de monetização, de qualquer cliente.",
  "revenue of those orders × marginPercent / 100": "receita desses pedidos × marginPercent / 100",
  "Return on monetization spend.": "Retorno do investimento em monetização.",
  "monetizationInvestment is 0": "monetizationInvestment é 0",
  "Returning customers of monetization campaigns.": "Clientes recorrentes das campanhas de monetização.",
  "customers with a repeat order in the period that is attributed to one":
    "clientes com um pedido recorrente no período atribuído a uma delas",
  "Cost of a repeat order attributed to a monetization campaign.":
    "Custo de um pedido recorrente atribuído a uma campanha de monetização.",
  "monetizationInvestment / repeat orders attributed to one":
    "monetizationInvestment / pedidos recorrentes atribuídos a uma delas",
  "no repeat order is attributed to a monetization campaign":
    "nenhum pedido recorrente é atribuído a uma campanha de monetização",
  "Spend on campaigns that no rule of the settings matches.":
    "Investimento em campanhas que nenhuma regra da configuração classifica.",
  "Σ spend of campaigns without a class": "Σ gasto das campanhas sem classe",
  "Payment fees.": "Taxas de pagamento.",
  "revenue × the item's percentage / 100": "revenue × o percentual do item / 100",
  "Taxes.": "Impostos.",
  "Shipping.": "Frete.",
  "Cost of goods, by the margin's percentage: it is not `cogs`.":
    "Custo das mercadorias, pelo percentual da margem: não é `cogs`.",
  "Rows that are left out: an answer has at most 1,000,000 cells. Those with the most customers remain, the same number in every cohort; a shorter period has the others.":
    "Linhas deixadas de fora: uma resposta tem no máximo 1.000.000 de células. Ficam as que têm mais clientes, o mesmo número em cada coorte; um período menor tem as outras.",
  "rows with `breakBy` − rows in `data`": "linhas com `breakBy` − linhas em `data`",
  "Rows that are left out: an answer has at most 1,000,000 points. Those with the most customers remain, the same number in every month; a shorter period has the others.":
    "Linhas deixadas de fora: uma resposta tem no máximo 1.000.000 de pontos. Ficam as que têm mais clientes, o mesmo número em cada mês; um período menor tem as outras.",
  "Revenue, as on the cards of the period compared with.": "Receita, como nos indicadores do período de comparação.",
  "Revenue, as on the cards of the period.": "Receita, como nos indicadores do período.",
  "How much it changed; the effects add up to it.": "Quanto mudou; a soma dos efeitos é igual a isto.",
  "Effect of the number of new customers, whose first order is in the period. The whole difference of the group if it has no customers in one of the periods.":
    "Efeito do número de novos clientes, cujo primeiro pedido está no período. Toda a diferença do grupo, se ele não tem clientes em um dos períodos.",
  "(Shapley value of the factor in customers × (orders / customers) × (revenue / orders): for x × y × z that of x is (x₁ − x₀) × ((y₀z₀ + y₁z₁) / 3 + (y₀z₁ + y₁z₀) / 6))":
    "(valor de Shapley do fator em clientes × (pedidos / clientes) × (receita / pedidos): para x × y × z o de x é (x₁ − x₀) × ((y₀z₀ + y₁z₁) / 3 + (y₀z₁ + y₁z₀) / 6))",
  "Effect of the orders per customer of new customers, whose first order is in the period; 0 if they have no customers in one of the periods.":
    "Efeito dos pedidos por cliente dos novos clientes, cujo primeiro pedido está no período; 0 se não há deles em um dos períodos.",
  "Effect of the revenue per order of new customers, whose first order is in the period; 0 if they have no customers in one of the periods.":
    "Efeito da receita por pedido dos novos clientes, cujo primeiro pedido está no período; 0 se não há deles em um dos períodos.",
  "Effect of the number of returning customers, with an order in the period and the first one before it. The whole difference of the group if it has no customers in one of the periods.":
    "Efeito do número de clientes recorrentes, com um pedido no período e o primeiro antes dele. Toda a diferença do grupo, se ele não tem clientes em um dos períodos.",
  "Effect of the orders per customer of returning customers, with an order in the period and the first one before it; 0 if they have no customers in one of the periods.":
    "Efeito dos pedidos por cliente dos clientes recorrentes, com um pedido no período e o primeiro antes dele; 0 se não há deles em um dos períodos.",
  "Effect of the revenue per order of returning customers, with an order in the period and the first one before it; 0 if they have no customers in one of the periods.":
    "Efeito da receita por pedido dos clientes recorrentes, com um pedido no período e o primeiro antes dele; 0 se não há deles em um dos períodos.",
  "Effect of orders of neither: anonymous ones above all.":
    "Efeito dos pedidos que não são de uns nem de outros: sobretudo os anônimos.",
  "(revenue of these orders − that of the period compared with)":
    "(receita desses pedidos − a do período de comparação)",
  "Contribution left after media spend of the period compared with.":
    "O que sobra da contribuição depois do investimento em mídia, no período de comparação.",
  "Contribution left after media spend of the period.":
    "O que sobra da contribuição depois do investimento em mídia, no período.",
  "(Shapley value of the factor in customers × (orders / customers) × (revenue / orders): for x × y × z that of x is (x₁ − x₀) × ((y₀z₀ + y₁z₁) / 3 + (y₀z₁ + y₁z₀) / 6)) × marginPercent / 100":
    "(valor de Shapley do fator em clientes × (pedidos / clientes) × (receita / pedidos): para x × y × z o de x é (x₁ − x₀) × ((y₀z₀ + y₁z₁) / 3 + (y₀z₁ + y₁z₀) / 6)) × marginPercent / 100",
  "(revenue of these orders − that of the period compared with) × marginPercent / 100":
    "(receita desses pedidos − a do período de comparação) × marginPercent / 100",
  "Effect of media spend.": "Efeito do investimento em mídia.",
  "− (investment − that of the period compared with)": "− (investment − o do período de comparação)",
  "Margin of the products sold, less returns. Dated by invoice, and without the units that have no sale value or no cost: it is not a part of the contribution. This margin of the period compared with.":
    "Margem dos produtos vendidos, menos devoluções. Datada pela fatura, e sem as unidades que não têm valor de venda ou custo: não é uma parte da contribuição. A do período de comparação.",
  "Σ sale value − Σ cost of the units kept that have both":
    "Σ valor de venda − Σ custo das unidades não devolvidas que têm os dois",
  "Margin of the products sold, less returns. Dated by invoice, and without the units that have no sale value or no cost: it is not a part of the contribution. This margin of the period.":
    "Margem dos produtos vendidos, menos devoluções. Datada pela fatura, e sem as unidades que não têm valor de venda ou custo: não é uma parte da contribuição. A do período.",
  "Effect of the number of units, of products sold in both periods.":
    "Efeito do número de unidades, dos produtos vendidos nos dois períodos.",
  "(U₁ − U₀) × (Σs₀ − Σc₀) / U₀, with U = Σ units, s = their sale value, c = their cost":
    "(U₁ − U₀) × (Σs₀ − Σc₀) / U₀, com U = Σ unidades, s = seu valor de venda, c = seu custo",
  "Effect of the products' shares in these units.": "Efeito da parte de cada produto nessas unidades.",
  "Σ (u₁ − u₀ × U₁ / U₀) × (s₀ − c₀) / u₀, u being a product's units":
    "Σ (u₁ − u₀ × U₁ / U₀) × (s₀ − c₀) / u₀, sendo u as unidades de um produto",
  "Effect of the products' sale value per unit.": "Efeito do valor de venda por unidade dos produtos.",
  "Effect of the products' cost per unit.": "Efeito do custo por unidade dos produtos.",
  "Margin of products sold only in the period.": "Margem dos produtos vendidos só no período.",
  "Σ (s₁ − c₁) of these products": "Σ (s₁ − c₁) desses produtos",
  "Margin of products sold only in the period compared with.":
    "Margem dos produtos vendidos só no período de comparação.",
  "− Σ (s₀ − c₀) of these products": "− Σ (s₀ − c₀) desses produtos",
  "Its revenue in the period compared with.": "Sua receita no período de comparação.",
  "Σ value of its orders, or sale value of its lines": "Σ valor dos seus pedidos, ou valor de venda das suas linhas",
  "Its revenue in the period.": "Sua receita no período.",
  "How much it changed. What rounding leaves over goes to the first, so that they add up to `revenue.change`.":
    "Quanto mudou. O que o arredondamento deixa vai para o primeiro, para que a soma seja `revenue.change`.",
  "Orders that landed, counted or not.": "Pedidos recebidos, contados ou não.",
  "orders + Σ uncounted orders": "orders + Σ pedidos não contados",
  "Their value.": "O valor deles.",
  "revenue + Σ uncounted value": "revenue + Σ valor não contado",
  "Orders.": "Pedidos.",
  "number of orders with this reason": "número de pedidos com este motivo",
  "Orders that count, by the day on which they were placed.": "Pedidos que contam, pelo dia em que foram feitos.",
  "Revenue that never became a sale.": "Receita que nunca se tornou venda.",
  "Σ value of counted orders that were never invoiced": "Σ valor dos pedidos contados que nunca foram faturados",
  "Revenue of orders of the period that became sales on a day outside of it.":
    "Receita de pedidos do período que se tornaram vendas em um dia fora dele.",
  "Σ value of these orders": "Σ valor desses pedidos",
  "Revenue of orders from outside the period that became sales on a day in it.":
    "Receita de pedidos de fora do período que se tornaram vendas em um dia dele.",
  "Shipping in the sales of the period.": "Frete nas vendas do período.",
  "Σ shipping of orders whose day as a sale is in the period": "Σ frete dos pedidos cujo dia de venda está no período",
  "Tax in the sales of the period, as the orders state it, also where prices include it.":
    "Impostos nas vendas do período, como os pedidos os informam, também onde os preços os incluem.",
  "Σ tax of orders whose day as a sale is in the period": "Σ imposto dos pedidos cujo dia de venda está no período",
  "Gift cards in the sales of the period.": "Cartões-presente nas vendas do período.",
  "Σ value of gift-card lines of orders whose day as a sale is in the period":
    "Σ valor das linhas de cartão-presente dos pedidos cujo dia de venda está no período",
  "Lines without a product in the sales of the period.": "Linhas sem produto nas vendas do período.",
  "Σ sale value of the units sold in these lines of orders whose day as a sale is in the period":
    "Σ valor de venda das unidades vendidas nessas linhas, dos pedidos cujo dia de venda está no período",
  "Lines without a sale value: they have no amount.": "Linhas sem valor de venda: não têm quantia.",
  "What is left: discounts of whole orders, fees, rounding; less tax that prices include. May be negative.":
    "O que resta: descontos de pedidos inteiros, taxas, arredondamento; menos o imposto que os preços incluem. Pode ser negativo.",
  "Sales of products.": "Vendas de produtos.",
  "Σ grossSales over /v1/products of the store and the period": "Σ grossSales de /v1/products da loja e do período",
  "What has been returned of them to date.": "O que foi devolvido deles até hoje.",
  "Sales of products less returns.": "Vendas de produtos menos devoluções.",
  "Σ netSales over /v1/products of the store and the period": "Σ netSales de /v1/products da loja e do período",
  "Spend.": "Investimento.",
  "Σ spend of its campaigns": "Σ gasto das suas campanhas",
  "Conversions that the platform claims.": "Conversões que a plataforma reivindica.",
  "Σ conversions of its campaigns": "Σ conversões das suas campanhas",
  "it is `socialads`, which reports none, or an export has no column of them":
    "é `socialads`, que não informa conversões, ou uma exportação não tem essa coluna",
  "Value of the purchases that the platform claims.": "Valor das compras que a plataforma reivindica.",
  "Σ conversions_value of search ads; Σ website_purchase_roas × spend of social ads":
    "Σ conversions_value de anúncios de busca; Σ website_purchase_roas × gasto de anúncios sociais",
  "Orders of the channel of the same name.": "Pedidos do canal de mesmo nome.",
  "What the platform claims per revenue of its channel.": "O que a plataforma reivindica por receita do seu canal.",
  "an export with campaigns of the period has no column of it":
    "uma exportação com campanhas do período não tem essa coluna",
  "platformValue or revenue is 0 or unknown": "platformValue ou revenue é 0 ou desconhecido",
  "Rows that violate it.": "Linhas que a violam.",
  "0 if it holds": "0 se ela vale",
  "acquisitionInvestment or acquisitionNewCustomers is 0": "acquisitionInvestment ou acquisitionNewCustomers é 0",
  "(those customers' revenue in the period × marginPercent / 100 − acquisitionInvestment) / acquisitionInvestment":
    "(receita desses clientes no período × marginPercent / 100 − acquisitionInvestment) / acquisitionInvestment",
  "as `payback` of /v1/profitability/cards, over customers and spend of acquisition campaigns":
    "como `payback` de /v1/profitability/cards, com clientes e gasto das campanhas de aquisição",
  "Days per point.": "Dias por ponto.",
  "1 or 7, by granularity": "1 ou 7, conforme a granularidade",
  "Units sold in the period.": "Unidades vendidas no período.",
  "Sold units returned to date.": "Unidades vendidas e devolvidas até hoje.",
  "Σ units returned of those sold": "Σ unidades devolvidas das vendidas",
  "state is not `measured`": "state não é `measured`",
  "Units viewed.": "Unidades vistas.",
  "Σ units viewed, of the product's items in web analytics": "Σ unidades vistas, dos itens do produto em web analytics",
  "no web analytics account has ever landed a file": "nenhuma conta de web analytics jamais recebeu um arquivo",
  "Units put into the cart.": "Unidades postas no carrinho.",
  "Σ units put into the cart, of the product's items in web analytics":
    "Σ unidades postas no carrinho, dos itens do produto em web analytics",
  "Units taken to the checkout.": "Unidades levadas ao checkout.",
  "Σ units taken to the checkout, of the product's items in web analytics":
    "Σ unidades levadas ao checkout, dos itens do produto em web analytics",
  "Units bought, as the site reports it.": "Unidades compradas, como o site as informa.",
  "Σ units bought, of the product's items in web analytics":
    "Σ unidades compradas, dos itens do produto em web analytics",
  "Share of viewed units put into the cart.": "Parte das unidades vistas que foi posta no carrinho.",
  "views is 0 or null": "views é 0 ou não tem valor",
  "Share of units in the cart taken to the checkout.": "Parte das unidades no carrinho que foi levada ao checkout.",
  "addToCarts is 0 or null": "addToCarts é 0 ou não tem valor",
  "Share of units at the checkout bought.": "Parte das unidades no checkout que foi comprada.",
  "checkouts is 0 or null": "checkouts é 0 ou não tem valor",
  "Share of viewed units bought.": "Parte das unidades vistas que foi comprada.",
  "Maximum number of entry months.": "Número máximo de meses de entrada.",
  "always 12": "sempre 12",
  "Number of orders in the last 12 months.": "Número de pedidos nos últimos 12 meses.",
  "Orders of the last 12 months with both products; `window` has the days.":
    "Pedidos dos últimos 12 meses com os dois produtos; `window` tem os dias.",
  "Share of the orders with this product.": "Parte dos pedidos com este produto.",
  "orders / all orders with this product": "orders / todos os pedidos com este produto",
  "How much more often than by chance; above 1 they attract each other.":
    "Quantas vezes mais do que por acaso; acima de 1 eles se atraem.",
  "share / the share of all the store's orders with the other product":
    "share / a parte de todos os pedidos da loja com o outro produto",
  "Calendar month since the first purchase, from 0.": "Mês do calendário desde a primeira compra, a partir de 0.",
  "months between the two": "meses entre as duas",
  "Customers who bought again in it.": "Clientes que compraram de novo nele.",
  "entry customers of the period with another order in that month":
    "clientes de entrada do período com outro pedido nesse mês",
  "Customers for whom it has begun.": "Clientes para quem ele já começou.",
  "entry customers who have reached the month at the store's last sync":
    "clientes de entrada que chegaram ao mês na última sincronização da loja",
  "Share of customers who bought again in it.": "Parte dos clientes que comprou de novo nele.",
  "Orders in the period with the product.": "Pedidos no período com o produto.",
  "number of the customer's orders": "número de pedidos do cliente",
  "Customers with that number of orders.": "Clientes com esse número de pedidos.",
  "number of such customers": "número desses clientes",
  "Share of the period's buyers of the product.": "Parte dos compradores do produto no período.",
  "customers / all of the period's buyers": "customers / todos os compradores no período",
  "Average days between two such orders of a customer.": "Média de dias entre dois desses pedidos de um cliente.",
  "Σ days between successive orders / number of such pairs": "Σ dias entre pedidos sucessivos / número desses pares",
  "no customer has two": "nenhum cliente tem dois",
  "Number of customers in the last 12 months.": "Número de clientes nos últimos 12 meses.",
  "Customers of the last 12 months who had it in their next purchase; `window` has the days.":
    "Clientes dos últimos 12 meses que o tiveram na compra seguinte; `window` tem os dias.",
  "Share of the customers with this product.": "Parte dos clientes com este produto.",
  "customers / all customers with this product": "customers / todos os clientes com este produto",
  "share / the share of all the store's buyers with the other product":
    "share / a parte de todos os compradores da loja com o outro produto",
  "Orders with the coupon and the product.": "Pedidos com o cupom e o produto.",
  "number of such orders": "número desses pedidos",
  "Share of all orders with the product.": "Parte de todos os pedidos com o produto.",
  "orders / all orders of the period with the product": "orders / todos os pedidos do período com o produto",
  "The product's net sales in those orders.": "Vendas líquidas do produto nesses pedidos.",
  "sales − returns of the product": "vendas − devoluções do produto",
  "none of the units has a sale value": "nenhuma das unidades tem valor de venda",
  "Entry customers acquired through it.": "Clientes de entrada adquiridos por ele.",
  "Share of the period's entry customers.": "Parte dos clientes de entrada do período.",
  "entryCustomers / all entry customers of the period": "entryCustomers / todos os clientes de entrada do período",
  "The product's net sales in their first purchases.": "Vendas líquidas do produto nas primeiras compras deles.",
  "the query did not fit into the memory": "a consulta não coube na memória",
  "Media spend, including brand and monetization. `cac` is computed from acquisitionInvestment instead.":
    "Investimento em mídia, com marca e monetização. `cac` é calculado com acquisitionInvestment.",
  "Spend of acquisition campaigns, from which `cac` is computed.":
    "Investimento das campanhas de aquisição, com o qual `cac` é calculado.",
  "All customers acquired, through any channel.": "Todos os clientes adquiridos, por qualquer canal.",
  "Return on acquisition spend within the period.": "Retorno do investimento em aquisição dentro do período.",
  "Months until the margin of a month's new customers covers that month's acquisition spend; 0 is within the month.":
    "Meses até a margem dos novos clientes de um mês cobrir o investimento em aquisição desse mês; 0 é no próprio mês.",
};
