/**
 * The texts of declarations in Portuguese, by the English text: descriptions, formulas and null rules of the columns of
 * tables. Formulas of nothing but names and signs need none.
 */
export const PORTUGUESE: Readonly<Record<string, string>> = {
  // Series of profitability.
  "The day, or the first of the month.": "O dia, ou o primeiro do mês.",
  "Customers acquired.": "Clientes adquiridos.",
  "customers whose first order is in the point": "clientes cujo primeiro pedido está no ponto",
  "Customers who came back.": "Clientes que voltaram.",
  "customers with an order in the point and the first one before it":
    "clientes com um pedido no ponto e o primeiro antes dele",
  "Customers who bought.": "Clientes que compraram.",
  "First of the month; the month is cut to the period.": "Primeiro dia do mês; o mês é cortado pelo período.",
  "Revenue: the amounts that customers pay, including shipping and tax. Returns do not reduce it.":
    "Receita: o que os clientes pagam, com frete e impostos. Devoluções não a reduzem.",
  "Σ value of the orders": "Σ valor dos pedidos",
  "Orders that count: paid for and not cancelled.": "Pedidos que contam: pagos e não cancelados.",
  "number of orders": "número de pedidos",
  "Media spend, of all campaigns.": "Investimento em mídia, de todas as campanhas.",
  "social ads spend + search ads spend": "gasto em mídia social + gasto em mídia de busca",
  "Customers acquired in the month.": "Clientes adquiridos no mês.",
  "customers whose first order is in the month": "clientes cujo primeiro pedido está no mês",
  "Media spend per new customer.": "Investimento em mídia por novo cliente.",
  "totalInvestment / newCustomers; 0 without new customers": "totalInvestment / newCustomers; 0 sem novos clientes",
  "Lifetime value of the customers acquired in the month.": "Valor vitalício (LTV) dos clientes adquiridos no mês.",
  "their revenue to date × marginPercent / 100 / newCustomers":
    "receita deles até hoje × marginPercent / 100 / newCustomers",
  "no customer was acquired in the month": "nenhum cliente foi adquirido no mês",
  "Media spend per order.": "Investimento em mídia por pedido.",
  "totalInvestment / totalOrders; 0 without orders": "totalInvestment / totalOrders; 0 sem pedidos",
  "Lifetime value / acquisition cost.": "Valor vitalício (LTV) / custo de aquisição.",
  "ltv / cac; 0 if cac is 0 or ltv is null": "ltv / cac; 0 se cac é 0 ou ltv não tem valor",
  "Cost of goods sold, as the stores report it.": "Custo das mercadorias vendidas, como as lojas o informam.",
  "Σ unit cost × quantity over orders with real cost": "Σ custo unitário × quantidade dos pedidos com custo real",
  "Revenue of orders with real cost: all their units have a cost.":
    "Receita dos pedidos com custo real: todas as unidades têm custo.",
  "Σ value of those orders": "Σ valor desses pedidos",
  "Revenue of all other orders.": "Receita de todos os outros pedidos.",
  "Basis of the period's margin: real cost of all revenue, real cost of some, the settings, or nothing.":
    "Base da margem do período: custo real de toda a receita, custo real de parte dela, a configuração, ou nada.",
  "Contribution by real cost where available, by the configured margin elsewhere. From revenue with real cost only that cost is subtracted: no gateway fee, tax or shipping.":
    "Contribuição pelo custo real onde ele existe, e pela margem configurada no resto. Da receita com custo real só esse custo é subtraído: nem taxa de pagamento, nem imposto, nem frete.",
  "The day.": "O dia.",
  "Average value of an order.": "Valor médio de um pedido.",
  "revenue / orders; 0 without orders": "revenue / orders; 0 sem pedidos",
  "The day, the Monday, or the first of the month; the point is cut to the period.":
    "O dia, a segunda-feira, ou o primeiro do mês; o ponto é cortado pelo período.",
  "Customers acquired in the point.": "Clientes adquiridos no ponto.",
  "Revenue left after variable costs.": "O que sobra da receita depois dos custos variáveis.",
  "Contribution left after media spend.": "O que sobra da contribuição depois do investimento em mídia.",
  "investment / newCustomers; 0 without new customers": "investment / newCustomers; 0 sem novos clientes",
  "Lifetime value of the customers acquired in the point.": "Valor vitalício (LTV) dos clientes adquiridos no ponto.",
  "no customer was acquired in the point": "nenhum cliente foi adquirido no ponto",
  "Return on media spend; 1.19 is 119 %.": "Retorno do investimento em mídia; 1,19 é 119 %.",
  "(contribution − investment) / investment; 0 without investment":
    "(contribution − investment) / investment; 0 sem investimento",

  // Cohorts.
  "First month of the cohort.": "Primeiro mês da coorte.",
  "The breakdown's value; that of a campaign, product or category is its id.":
    "O valor da quebra; o de uma campanha, produto ou categoria é seu id.",
  "the first order has no such value": "o primeiro pedido não tem esse valor",
  "Its name.": "Seu nome.",
  "it has no name": "não tem nome",
  "Size of the cohort in step 0.": "Tamanho da coorte no passo 0.",
  "customers (`logo`) or revenue × marginPercent / 100 (`revenue`) of step 0":
    "clientes (`logo`) ou receita × marginPercent / 100 (`revenue`) do passo 0",
  "Media spend of the row.": "Investimento em mídia da linha.",
  "Σ spend in the cohort's months": "Σ gasto nos meses da coorte",
  "a breakBy other than `origem` and `campanha` is sent": "breakBy é outro que `origem` e `campanha`",
  "Return within step 0.": "Retorno no passo 0.",
  "(step-0 revenue × marginPercent / 100 − acquisitionInvestment) / acquisitionInvestment":
    "(receita do passo 0 × marginPercent / 100 − acquisitionInvestment) / acquisitionInvestment",
  "acquisitionInvestment is 0, or a breakBy other than `origem` and `campanha` is sent":
    "acquisitionInvestment é 0, ou breakBy é outro que `origem` e `campanha`",
  "Customers of the row.": "Clientes da linha.",
  "customers whose first purchase is in the row": "clientes cuja primeira compra está na linha",
  "Customers of the row who bought again.": "Clientes da linha que compraram de novo.",
  "those with a later purchase than the first": "os que têm uma compra depois da primeira",
  "Share of customers who bought again.": "Parte dos clientes que compraram de novo.",
  "Revenue of the first purchases.": "Receita das primeiras compras.",
  "Σ value of the first orders": "Σ valor dos primeiros pedidos",
  "Their margin.": "A margem delas.",
  "All revenue of the cohort to date.": "Toda a receita da coorte até hoje.",
  "Σ value of its orders": "Σ valor de seus pedidos",
  "Its margin.": "A margem dela.",
  "Revenue after the first purchases.": "Receita depois das primeiras compras.",
  "The row's own spend.": "O gasto próprio da linha.",
  "Spend per customer.": "Gasto por cliente.",
  "Lifetime value of the row's customers.": "Valor vitalício (LTV) dos clientes da linha.",
  "Months until the row's margin covers its spend.": "Meses até a margem da linha cobrir seu gasto.",
  "as on the cards, over the row's first-order months": "como nos cartões, sobre os meses de primeiro pedido da linha",
  "no month with spend has been paid back, or a breakBy other than `origem` and `campanha` is sent":
    "nenhum mês com gasto se pagou, ou breakBy é outro que `origem` e `campanha`",
  "Steps since the cohort.": "Passos desde a coorte.",
  "months, quarters or years from the cohort's first month": "meses, trimestres ou anos desde o primeiro mês da coorte",
  "Retention; the margin cancels out.": "Retenção; a margem se cancela.",
  "value in the step / value in step 0, gross": "valor no passo / valor no passo 0, bruto",
  "step 0 has no revenue": "o passo 0 não tem receita",
  "Retained customers or contribution.": "Clientes retidos ou contribuição.",
  "customers who bought in the step (`logo`) or their revenue × marginPercent / 100 (`revenue`)":
    "clientes que compraram no passo (`logo`) ou a receita deles × marginPercent / 100 (`revenue`)",
  "The other view's figure of the same cell.": "O número da outra visão na mesma célula.",
  "absolute, with the other view": "absolute, com a outra visão",
  "Gross repeat revenue of the step.": "Receita bruta de recompra do passo.",
  "revenue of its repeat orders": "receita de seus pedidos de recompra",
  "in step 0": "no passo 0",

  // Orders.
  "Order.": "Pedido.",
  "Its store.": "Sua loja.",
  "Platform of the store.": "Plataforma da loja.",
  "Day on which it was placed, in the store's time zone.": "Dia em que foi feito, no fuso horário da loja.",
  "When it was placed.": "Quando foi feito.",
  "What the customer pays, including shipping and tax.": "O que o cliente paga, com frete e impostos.",
  "value of the order": "valor do pedido",
  "Cost of its units, as the store reports it.": "Custo de suas unidades, como a loja o informa.",
  "Σ unit cost × quantity": "Σ custo unitário × quantidade",
  "it has no units, or a unit has no cost": "não tem unidades, ou uma unidade não tem custo",
  "Contribution: by the real cost where it is known, else by the configured margin.":
    "Contribuição: pelo custo real onde é conhecido, senão pela margem configurada.",
  "revenue − cost; without cost revenue × marginPercent / 100":
    "revenue − cost; sem custo revenue × marginPercent / 100",
  "`new`: the customer's first order is in the period; `recurring`: before it; `anonymous`: the customer is unknown.":
    "`new`: o primeiro pedido do cliente está no período; `recurring`: antes dele; `anonymous`: o cliente é desconhecido.",
  "the order is not counted, or the customer's first order is later by its day in another time zone":
    "o pedido não conta, ou o primeiro pedido do cliente é posterior por seu dia em outro fuso horário",
  "Number of the order in the customer's history.": "Número do pedido na história do cliente.",
  "1 for all orders of the first purchase, then 2, 3… by instant, order and store":
    "1 para todos os pedidos da primeira compra, depois 2, 3… por instante, pedido e loja",
  "the order is not counted, or its customer is unknown": "o pedido não conta, ou seu cliente é desconhecido",
  "The customer, the same in all answers of the organization. Nobody can find the e-mail from it.":
    "O cliente, o mesmo em todas as respostas da organização. Ninguém descobre o e-mail a partir dele.",
  "Channel.": "Canal.",
  "Campaign that the order is attributed to.": "Campanha à qual o pedido é atribuído.",
  "it has none, or a campaign that never landed": "não tem campanha, ou tem uma que nunca foi recebida",
  "Its name, or the `utm_campaign` of a campaign that never landed.":
    "Seu nome, ou o `utm_campaign` de uma campanha que nunca foi recebida.",
  "it has none": "não tem",
  "Class of the campaign.": "Classe da campanha.",
  "no rule of the settings matches it": "nenhuma regra da configuração se aplica a ela",
  "Coupon, in upper case.": "Cupom, em maiúsculas.",
  "none was used": "nenhum foi usado",
  "Why it is not counted: the first of these that holds.": "Por que não conta: o primeiro destes que vale.",
  "it is counted": "conta",

  // Payback curves.
  "Calendar months since that of the first order.": "Meses do calendário desde o do primeiro pedido.",
  "0 for that month itself": "0 para o próprio mês",
  "Customers for whom that month is complete.": "Clientes para os quais esse mês está completo.",
  "Σ `customers` of the rows in which it is": "Σ `customers` das linhas em que está",
  "What such a customer had brought in by the end of that month, on average.":
    "O que um desses clientes trouxe até o fim desse mês, em média.",
  "Σ contribution of those rows at that month / customers": "Σ contribuição dessas linhas nesse mês / customers",
  "Lower bound of its 95 % interval; it may be below 0.":
    "Limite inferior de seu intervalo de 95 %; pode ser menor que 0.",
  "mean ± 1.96 × s / √customers; s: the sample standard deviation over the customers: the lower one":
    "média ± 1,96 × s / √customers; s: o desvio padrão amostral sobre os clientes: o menor",
  "`customers` is below 2": "`customers` é menor que 2",
  "Upper bound of the same interval.": "Limite superior do mesmo intervalo.",
  "mean ± 1.96 × s / √customers; s: the sample standard deviation over the customers: the upper one":
    "média ± 1,96 × s / √customers; s: o desvio padrão amostral sobre os clientes: o maior",
  "First of the month of the first orders; the month is cut to the period.":
    "Primeiro dia do mês dos primeiros pedidos; o mês é cortado pelo período.",
  "The channel, or the campaign's id.": "O canal, ou o id da campanha.",
  "the first order has no campaign": "o primeiro pedido não tem campanha",
  "customers whose first order is in the month, and has this value":
    "clientes cujo primeiro pedido está no mês e tem este valor",
  "Media spend of the month.": "Investimento em mídia do mês.",
  "Σ spend of the month's days in the period, of this value":
    "Σ gasto dos dias do mês que estão no período, deste valor",
  "Whether the contribution has covered the spend by the last day with an order; `no_spend`: there is none to cover.":
    "Se a contribuição cobriu o gasto até o último dia com pedido; `no_spend`: não há gasto a cobrir.",
  "Months until the contribution covers the spend; 0: in the month of the first orders.":
    "Meses até a contribuição cobrir o gasto; 0: no mês dos primeiros pedidos.",
  "smallest `month` at which contribution ≥ investment, before rounding":
    "menor `month` em que contribution ≥ investment, antes do arredondamento",
  "`state` is not `paid_back`": "`state` não é `paid_back`",
  "Calendar months since that of the first orders.": "Meses do calendário desde o dos primeiros pedidos.",
  "Whether the month is over: false if the last day with an order is in it, but is not its last.":
    "Se o mês terminou: falso se o último dia com pedido está nele, mas não é seu último.",
  "What the customers had brought in by the end of the month.": "O que os clientes trouxeram até o fim do mês.",
  "revenue of their orders in months 0 to `month` × marginPercent / 100":
    "receita de seus pedidos nos meses 0 a `month` × marginPercent / 100",
  "The same per customer; those who bought nothing more stay at what they had.":
    "O mesmo por cliente; quem não comprou mais fica no que tinha.",
  "Share of the spend that is covered.": "Parte do gasto que está coberta.",
  "`state` is `no_spend`": "`state` é `no_spend`",

  // The forecast.
  "Shape of the distribution of purchase rates, in BG/NBD. Significant to four digits.":
    "Forma da distribuição das taxas de compra, no BG/NBD. Significativo até quatro dígitos.",
  "maximum likelihood, searched from 0.0001 to 10,000": "máxima verossimilhança, procurada de 0,0001 a 10.000",
  "Scale of the distribution of purchase rates, in weeks, in BG/NBD. Significant to four digits.":
    "Escala da distribuição das taxas de compra, em semanas, no BG/NBD. Significativo até quatro dígitos.",
  "First parameter of the distribution of the probability to leave after a purchase, in BG/NBD. Significant to four digits.":
    "Primeiro parâmetro da distribuição da probabilidade de sair depois de uma compra, no BG/NBD. Significativo até quatro dígitos.",
  "Second parameter of the distribution of the probability to leave after a purchase, in BG/NBD. Significant to four digits.":
    "Segundo parâmetro da distribuição da probabilidade de sair depois de uma compra, no BG/NBD. Significativo até quatro dígitos.",
  "Logarithm of the likelihood of BG/NBD with these parameters. Significant to four digits.":
    "Logaritmo da verossimilhança do BG/NBD com estes parâmetros. Significativo até quatro dígitos.",
  "Σ over the customers of ln L(r, alpha, a, b | x, t_x, T), Fader, Hardie and Lee 2005":
    "Σ sobre os clientes de ln L(r, alpha, a, b | x, t_x, T), Fader, Hardie e Lee 2005",
  "Shape of the distribution of a customer's revenue per purchase, in Gamma-Gamma. Significant to four digits.":
    "Forma da distribuição da receita por compra de um cliente, no Gamma-Gamma. Significativo até quatro dígitos.",
  "Shape of the distribution of the scale of that distribution, in Gamma-Gamma. Significant to four digits.":
    "Forma da distribuição da escala dessa distribuição, no Gamma-Gamma. Significativo até quatro dígitos.",
  "Scale of the distribution of the scale of that distribution, in Gamma-Gamma. Significant to four digits.":
    "Escala da distribuição da escala dessa distribuição, no Gamma-Gamma. Significativo até quatro dígitos.",
  "maximum likelihood, searched from 0.0001 to 10,000 times the mean revenue of a repeat purchase":
    "máxima verossimilhança, procurada de 0,0001 a 10.000 vezes a receita média de uma recompra",
  "Customers that BG/NBD is fitted to.": "Clientes aos quais o BG/NBD é ajustado.",
  "number of customers": "número de clientes",
  "Those with a repeat purchase.": "Os que têm uma recompra.",
  "customers with orders on more than one day": "clientes com pedidos em mais de um dia",
  "Customers, all but anonymous ones.": "Clientes, todos menos os anônimos.",
  "Their revenue to date, which is known.": "A receita deles até hoje, que é conhecida.",
  "Σ value of their orders": "Σ valor de seus pedidos",
  "Lifetime value to date, which is known.": "Valor vitalício (LTV) até hoje, que é conhecido.",
  "Purchases expected of the customers, who may have left already. A purchase is a day with orders.":
    "Compras esperadas dos clientes, que podem já ter saído. Uma compra é um dia com pedidos.",
  "Σ over the customers of the purchases expected by BG/NBD, given x, t_x and T":
    "Σ sobre os clientes das compras esperadas pelo BG/NBD, dados x, t_x e T",
  "Revenue expected of them.": "Receita esperada deles.",
  "Σ over the customers of expected purchases × mean revenue of a purchase expected by Gamma-Gamma; the population's mean for customers without a repeat purchase":
    "Σ sobre os clientes das compras esperadas × receita média de uma compra esperada pelo Gamma-Gamma; a média da população para clientes sem recompra",
  "Contribution expected of them.": "Contribuição esperada deles.",
  "Projection of the lifetime value 52 weeks after the last day with an order.":
    "Projeção do valor vitalício (LTV) 52 semanas depois do último dia com pedido.",
  "The last day that the test knows: 26 weeks before the last day with an order.":
    "O último dia que o teste conhece: 26 semanas antes do último dia com pedido.",
  "Customers who had bought by then.": "Clientes que tinham comprado até então.",
  "customers whose first purchase is not after the cutoff": "clientes cuja primeira compra não é depois do corte",
  "Purchases of these customers in the 26 weeks.": "Compras desses clientes nas 26 semanas.",
  "days with orders of these customers after the cutoff": "dias com pedidos desses clientes depois do corte",
  "What the models that know nothing of these weeks expect.": "O que esperam os modelos que nada sabem dessas semanas.",
  "as weeks26.purchases": "como weeks26.purchases",
  "Error of the predicted purchases.": "Erro das compras previstas.",
  "(predicted − actual) / actual × 100": "(previsto − real) / real × 100",
  "actual is 0": "o real é 0",
  "Revenue of these customers in the 26 weeks.": "Receita desses clientes nas 26 semanas.",
  "Σ value of their orders after the cutoff": "Σ valor de seus pedidos depois do corte",
  "as weeks26.revenue": "como weeks26.revenue",
  "Error of the predicted revenue.": "Erro da receita prevista.",
  "Repeat purchases by the cutoff; 7 are 7 or more.": "Recompras até o corte; 7 são 7 ou mais.",
  "purchases by the cutoff − 1": "compras até o corte − 1",
  "Customers with as many.": "Clientes com esse número.",
  "Their purchases in the 26 weeks.": "As compras deles nas 26 semanas.",
  "Those that were predicted.": "As que foram previstas.",
  "First of the month of the customers' first order.": "Primeiro dia do mês do primeiro pedido dos clientes.",
  "Customers.": "Clientes.",

  // Acquisition.
  "Media spend.": "Investimento em mídia.",
  "Σ spend in the period": "Σ gasto no período",
  "Orders of the channel or campaign.": "Pedidos do canal ou da campanha.",
  "number of its orders in the period": "número de seus pedidos no período",
  "Their revenue.": "A receita deles.",
  "Customers it acquired.": "Clientes que adquiriu.",
  "customers whose first order, in the period, is attributed to it":
    "clientes cujo primeiro pedido, no período, lhe é atribuído",
  "Revenue of these customers.": "Receita desses clientes.",
  "their revenue in the period": "a receita deles no período",
  "Spend per new customer.": "Gasto por novo cliente.",
  "investment or newCustomers is 0": "investment ou newCustomers é 0",
  "Lifetime value of those customers.": "Valor vitalício (LTV) desses clientes.",
  "newCustomers is 0": "newCustomers é 0",
  "Their lifetime value / their acquisition cost.": "Valor vitalício (LTV) deles / custo de aquisição deles.",
  "Return on its spend within the period.": "Retorno de seu gasto no período.",
  "Months until the margin of a month's new customers covers that month's spend.":
    "Meses até a margem dos novos clientes de um mês cobrir o gasto desse mês.",
  "as `payback` of /v1/profitability/cards, over its own customers and spend":
    "como `payback` de /v1/profitability/cards, sobre seus próprios clientes e gasto",
  "no month with spend has been paid back": "nenhum mês com gasto se pagou",
  "Campaign.": "Campanha.",
  "no landed campaign matches the orders' utm_campaign":
    "nenhuma campanha recebida corresponde ao utm_campaign dos pedidos",
  "Its latest name, or the normalized utm_campaign.": "Seu último nome, ou o utm_campaign normalizado.",
  "Ad platform.": "Plataforma de anúncios.",
  "campaignId is null": "campaignId não tem valor",
  "Its class.": "Sua classe.",
  "How often it was shown.": "Quantas vezes foi mostrada.",
  "Σ impressions in the period": "Σ impressões no período",
  "Clicks.": "Cliques.",
  "Σ clicks in the period": "Σ cliques no período",
  "New customers through searchads.": "Novos clientes por searchads.",
  "new customers whose first order came through it": "novos clientes cujo primeiro pedido veio por ele",
  "New customers through socialads.": "Novos clientes por socialads.",
  "New customers through organic_search.": "Novos clientes por organic_search.",
  "New customers through organic_social.": "Novos clientes por organic_social.",
  "New customers through email.": "Novos clientes por email.",
  "New customers through affiliate.": "Novos clientes por affiliate.",
  "New customers through referral.": "Novos clientes por referral.",
  "New customers through direct.": "Novos clientes por direct.",
  "New customers through other.": "Novos clientes por other.",
  "New customers through unknown.": "Novos clientes por unknown.",

  // Contribution of channels and campaigns, and their products.
  "revenue is 0": "revenue é 0",
  "Σ units": "Σ unidades",
  "The orders, with and without products.": "Os pedidos, com e sem produtos.",
  "number of these orders in the period": "número desses pedidos no período",
  "Their revenue, as in the other endpoints.": "A receita deles, como nos outros endereços.",
  "Products sold.": "Produtos vendidos.",
  "number of rows of all pages": "número de linhas de todas as páginas",
  "Sale value of the units sold, as far as it is known.": "Valor de venda das unidades vendidas, no que é conhecido.",
  "Σ sale value of lines with a product": "Σ valor de venda das linhas com produto",
  "Revenue that is no product's: shipping, tax, lines without a product or a sale value.":
    "Receita que não é de produto: frete, impostos, linhas sem produto ou sem valor de venda.",
  "Sale value of the units that were not returned.": "Valor de venda das unidades que não foram devolvidas.",
  "Σ netSales": "Σ netSales",
  "a product has no sales": "um produto não tem vendas",
  "Products whose margin is known.": "Produtos cuja margem é conhecida.",
  "number of products with a marginTotal": "número de produtos com marginTotal",
  "Σ marginTotal": "Σ marginTotal",
  "a product has no margin": "um produto não tem margem",
  "revenue × (gateway + tax + shipping) / 100: percentages of the margin":
    "revenue × (gateway + tax + shipping) / 100: porcentagens da margem",
  "Orders that are attributed to it.": "Pedidos que lhe são atribuídos.",
  "Revenue of these orders.": "Receita desses pedidos.",
  "Cost of the goods in these orders: the stores' where they report it, else by the margin's percentage.":
    "Custo das mercadorias desses pedidos: o informado pelas lojas e, onde falta, pela porcentagem da margem.",
  "Σ cost of orders with real cost + revenue of the others × percentage of `costOfGoods` / 100":
    "Σ custo dos pedidos com custo real + receita dos demais × porcentagem de `costOfGoods` / 100",
  "there is revenue without real cost and the margin has no percentage for it, or the margin is one percentage for all costs":
    "há receita sem custo real e a margem não tem porcentagem para ela, ou a margem é uma só porcentagem para todos os custos",
  "Payment fees, taxes and shipping, by the margin's percentages.":
    "Taxas de pagamento, impostos e frete, pelas porcentagens da margem.",
  "there is revenue, and one of these items is pending, or the margin has no items or more than 100 % of them":
    "há receita, e um desses itens está pendente, ou a margem não tem itens ou passa de 100 %",
  "Revenue left after all costs except media. Unlike `contribution` of the cards it counts the real cost of the goods.":
    "O que sobra da receita depois de todos os custos, menos a mídia. Ao contrário de `contribution`, conta o custo real das mercadorias.",
  "revenue − costOfGoods − variableCosts; with a margin that is one percentage revenue × marginPercent / 100":
    "revenue − costOfGoods − variableCosts; com a margem em uma só porcentagem, revenue × marginPercent / 100",
  "a cost is unknown": "um custo não é conhecido",
  "The same less media spend: what it earned, or lost.":
    "A mesma menos o investimento em mídia: o que deu de lucro, ou de prejuízo.",
  "The same by the margin of all orders, as on the cards; a pending item, or a missing margin, costs nothing in it.":
    "A mesma pela margem de todos os pedidos, como nos indicadores; nela um item pendente, ou a falta da margem, não custa nada.",
  "Share of the revenue that has real cost.": "Parte da receita que tem custo real.",
  "revenue of orders with real cost / revenue": "receita dos pedidos com custo real / revenue",
  "The channel, or the campaign's id; the normalized `utm_campaign` of one that never landed.":
    "O canal, ou o id da campanha; o `utm_campaign` normalizado da que nunca foi recebida.",
  "the orders have no campaign": "os pedidos não têm campanha",
  "it is a channel, or a campaign that never landed": "é um canal, ou uma campanha que nunca foi recebida",
  "it is a channel, or no rule of the settings matches it":
    "é um canal, ou nenhuma regra da configuração lhe corresponde",
  "Its name, from the catalog or its latest sale.": "Seu nome, do catálogo ou da última venda.",
  "nothing names it": "nada lhe dá nome",
  "Its picture.": "Sua imagem.",
  "the catalog has none": "o catálogo não tem",
  "number of these orders in which a unit of it was sold": "número desses pedidos em que uma unidade dele foi vendida",
  "Units sold.": "Unidades vendidas.",
  "Units sold and not returned to date.": "Unidades vendidas e não devolvidas até hoje.",
  "grossUnits − returned units": "grossUnits − unidades devolvidas",
  "Sale value of the units sold, after discounts, without shipping and tax.":
    "Valor de venda das unidades vendidas, com descontos, sem frete e impostos.",
  "Σ sale value of its lines": "Σ valor de venda de suas linhas",
  "units were sold, and none of them has a sale value": "unidades foram vendidas, e nenhuma tem valor de venda",
  "The same of the units that were not returned.": "O mesmo das unidades que não foram devolvidas.",
  "grossSales − returns": "grossSales − devoluções",
  "Cost of these units.": "Custo dessas unidades.",
  "Σ unit cost × netUnits": "Σ custo unitário × netUnits",
  "a unit has no sale value or no cost: `ndReason`": "uma unidade não tem valor de venda ou custo: `ndReason`",
  "What they leave.": "O que deixam.",
  "The same as a share of sales.": "A mesma como parte das vendas.",
  "netSales is 0, or a unit has no sale value or no cost: `ndReason`":
    "netSales é 0, ou uma unidade não tem valor de venda ou custo: `ndReason`",
  "Media spend, shared out over the products by their sale value.":
    "Investimento em mídia, rateado pelos produtos conforme o valor de venda.",
  "investment of `total` × grossSales / grossSales of `total`":
    "investment de `total` × grossSales / grossSales de `total`",
  "it has no sales, or no product has": "ele não tem vendas, ou nenhum produto tem",
  "What the product leaves after its share of the media spend. Payment fees, taxes and shipping are not deducted.":
    "O que o produto deixa depois de sua parte do investimento em mídia. Taxas de pagamento, impostos e frete não são descontados.",
  "it has no sales, or no product has, or a unit has no sale value or no cost: `ndReason`":
    "ele não tem vendas, ou nenhum produto tem, ou uma unidade não tem valor de venda ou custo: `ndReason`",
  "Why cost and margin are null.": "Por que custo e margem não têm valor.",
  "they are not": "eles têm valor",

  // Stores, products and categories.
  "The store: `integrationId` of the other endpoints.": "A loja: `integrationId` dos outros endereços.",
  "the settings give it no name": "a configuração não lhe dá nome",
  "The platform.": "A plataforma.",
  "Currency of its amounts.": "Moeda de suas quantias.",
  "neither its orders nor the settings name one": "nem seus pedidos nem a configuração indicam uma",
  "When it last landed a file.": "Quando recebeu um arquivo pela última vez.",
  "it never landed a file": "nunca recebeu um arquivo",
  "Products of the catalog.": "Produtos do catálogo.",
  "number of products": "número de produtos",
  "Day of the first sale.": "Dia da primeira venda.",
  "there is no sale": "não há venda",
  "Day of the last sale.": "Dia da última venda.",
  "Store.": "Loja.",
  "Category, or `uncategorized`.": "Categoria, ou `uncategorized`.",
  "it is `uncategorized` or has no name": "é `uncategorized` ou não tem nome",
  "The category that it is in.": "A categoria em que está.",
  "it is a department": "é um departamento",
  "Level in the tree; a department includes everything below it.":
    "Nível na árvore; um departamento inclui tudo abaixo dele.",
  "0 for a department": "0 para um departamento",
  "Invoiced value of the period's units, before returns; no shipping, tax or fees.":
    "Valor faturado das unidades do período, antes das devoluções; sem frete, impostos ou taxas.",
  "Σ sale value of the units sold": "Σ valor de venda das unidades vendidas",
  "units were sold, but no unit has a sale value": "unidades foram vendidas, mas nenhuma tem valor de venda",
  "Gross sales after returns.": "Vendas brutas depois das devoluções.",
  "grossSales − sale value of units returned to date": "grossSales − valor de venda das unidades devolvidas até hoje",
  "Units invoiced.": "Unidades faturadas.",
  "Σ units sold": "Σ unidades vendidas",
  "Units kept.": "Unidades que não voltaram.",
  "grossUnits − units returned to date": "grossUnits − unidades devolvidas até hoje",
  "Net sales per order.": "Vendas líquidas por pedido.",
  "netSales / orders with the product": "netSales / pedidos com o produto",
  "there is no such order, or netSales is null": "não há tal pedido, ou netSales não tem valor",
  "Cost of the units kept.": "Custo das unidades que não voltaram.",
  "Σ unit cost × units kept": "Σ custo unitário × unidades que não voltaram",
  "a unit of the period lacks its sale value or its cost; ndReasons.margin says which":
    "a uma unidade do período falta o valor de venda ou o custo; ndReasons.margin diz qual",
  "Net sales less their cost.": "Vendas líquidas menos seu custo.",
  "Share of net sales that is margin.": "Parte das vendas líquidas que é margem.",
  "netSales is 0 or marginTotal null; ndReasons.averageMargin says why":
    "netSales é 0 ou marginTotal não tem valor; ndReasons.averageMargin diz por quê",
  "Customers acquired with the product.": "Clientes adquiridos com o produto.",
  "customers whose first purchase in the store, in the period, contains it":
    "clientes cuja primeira compra na loja, no período, o contém",
  "Returning customers who bought it.": "Clientes recorrentes que o compraram.",
  "customers who bought it in the period after their first purchase":
    "clientes que o compraram no período depois de sua primeira compra",
  "Customers acquired through the product.": "Clientes que entraram pelo produto.",
  "customers whose first purchase, in the period, contains it": "clientes cuja primeira compra, no período, o contém",
  "Mature entry customers.": "Clientes de entrada maduros.",
  "entry customers with 180 full days since their first purchase":
    "clientes de entrada com 180 dias completos desde sua primeira compra",
  "Net revenue per mature entry customer in 180 days.": "Receita líquida por cliente de entrada maduro em 180 dias.",
  "net revenue of their first 180 days / matureEntryCustomers":
    "receita líquida de seus primeiros 180 dias / matureEntryCustomers",
  "matureEntryCustomers is 0; ndReasons says why": "matureEntryCustomers é 0; ndReasons diz por quê",
  "Share of mature entry customers who came back within 180 days.":
    "Parte dos clientes de entrada maduros que voltaram em 180 dias.",
  "those with another order within 180 days / matureEntryCustomers":
    "os que têm outro pedido em 180 dias / matureEntryCustomers",
  "Net revenue per entry customer to date.": "Receita líquida por cliente de entrada até hoje.",
  "net revenue of all entry customers to date / entryCustomers":
    "receita líquida de todos os clientes de entrada até hoje / entryCustomers",
  "entryCustomers is 0": "entryCustomers é 0",
  "Share of entry customers who came back.": "Parte dos clientes de entrada que voltaram.",
  "those with another order / entryCustomers": "os que têm outro pedido / entryCustomers",
  "Average age of the cohort.": "Idade média da coorte.",
  "average days since the first purchase, at most 180 per customer":
    "média de dias desde a primeira compra, no máximo 180 por cliente",
  "Units that can be sold now; may be negative.": "Unidades que podem ser vendidas agora; pode ser negativo.",
  "stock − reserved stock, over the SKUs": "estoque − estoque reservado, sobre os SKUs",
  "inventoryState is not `monitored`": "inventoryState não é `monitored`",
  "Units sold per day in the last 30 days, whatever the period.":
    "Unidades vendidas por dia nos últimos 30 dias, qualquer que seja o período.",
  "units sold in the last 30 complete days / 30": "unidades vendidas nos últimos 30 dias completos / 30",
  "Days until the stock runs out at that rate.": "Dias até o estoque acabar nesse ritmo.",
  "stock is not monitored, or nothing was sold in the last 30 days; ndReasons says why":
    "o estoque não é controlado, ou nada foi vendido nos últimos 30 dias; ndReasons diz por quê",
  "Share of units returned; a floor, since late returns may be missing.":
    "Parte das unidades devolvidas; um mínimo, pois devoluções tardias podem faltar.",
  "units returned / units sold": "unidades devolvidas / unidades vendidas",
  "nothing was sold, or the store has never recorded a return; ndReasons says why":
    "nada foi vendido, ou a loja nunca registrou uma devolução; ndReasons diz por quê",
  "Whether its stock is counted.": "Se seu estoque é contado.",
  "`stale`: read more than 24 hours ago.": "`stale`: lido há mais de 24 horas.",
  "When the oldest of the stock readings landed.": "Quando a mais antiga das leituras de estoque foi recebida.",
  "there is no reading": "não há leitura",
  "Whether the entry customers are mature.": "Se os clientes de entrada estão maduros.",
  "Days after which an entry customer is mature.": "Dias depois dos quais um cliente de entrada está maduro.",
  "always 180": "sempre 180",
  "When the store last landed a file.": "Quando a loja recebeu um arquivo pela última vez.",
  "Share of units with a sale value.": "Parte das unidades com valor de venda.",
  "units with a sale value / units; 0 without units": "unidades com valor de venda / unidades; 0 sem unidades",
  "Share of units with a cost.": "Parte das unidades com custo.",
  "units with a cost / units; 0 without units": "unidades com custo / unidades; 0 sem unidades",
  "Share of SKUs whose stock was read.": "Parte dos SKUs cujo estoque foi lido.",
  "SKUs read / SKUs; 0 without SKUs": "SKUs lidos / SKUs; 0 sem SKUs",
  "Share of entry customers who are mature.": "Parte dos clientes de entrada que estão maduros.",
  "matureEntryCustomers / entryCustomers; 0 without entry customers":
    "matureEntryCustomers / entryCustomers; 0 sem clientes de entrada",
  "Why averageTicket is null.": "Por que averageTicket não tem valor.",
  "averageTicket is not null": "averageTicket tem valor",
  "Why marginTotal is null.": "Por que marginTotal não tem valor.",
  "marginTotal is not null": "marginTotal tem valor",
  "Why marginAverage is null.": "Por que marginAverage não tem valor.",
  "marginAverage is not null": "marginAverage tem valor",
  "Why daysOfStock is null.": "Por que daysOfStock não tem valor.",
  "daysOfStock is not null": "daysOfStock tem valor",
  "Why ltv180 is null.": "Por que ltv180 não tem valor.",
  "ltv180 is not null": "ltv180 tem valor",
  "Why repurchaseRate180 is null.": "Por que repurchaseRate180 não tem valor.",
  "repurchaseRate180 is not null": "repurchaseRate180 tem valor",
  "Why returnRate is null.": "Por que returnRate não tem valor.",
  "returnRate is not null": "returnRate tem valor",
  "Product.": "Produto.",
  "Its name in the catalog, or at its latest sale.": "Seu nome no catálogo, ou em sua última venda.",
  "neither has a name": "nenhum dos dois tem nome",
  "Whether it is active in the catalog.": "Se está ativo no catálogo.",
  "Its own category, or `uncategorized`.": "Sua própria categoria, ou `uncategorized`.",
  "That category's name.": "O nome dessa categoria.",
  "Picture.": "Imagem.",
  "the catalog has no picture": "o catálogo não tem imagem",
  "When it last changed according to the vendor, else when it landed.":
    "Quando mudou pela última vez segundo a plataforma, senão quando foi recebido.",
  "the catalog does not have the product": "o catálogo não tem o produto",
  "Position of the point; the same in both periods.": "Posição do ponto; a mesma nos dois períodos.",
  "from 0": "a partir de 0",
  "First day.": "Primeiro dia.",
  "Last day.": "Último dia.",
  "Sales after returns.": "Vendas depois das devoluções.",
  "Σ sale value of the units sold − of those returned": "Σ valor de venda das unidades vendidas − das devolvidas",
  "units sold − units returned": "unidades vendidas − unidades devolvidas",
  "Orders with the product.": "Pedidos com o produto.",
  "a unit of the point lacks its sale value or its cost; marginNdReason says which":
    "a uma unidade do ponto falta o valor de venda ou o custo; marginNdReason diz qual",
  "Why margin is null.": "Por que a margem não tem valor.",
  "margin is not null": "a margem tem valor",
};
