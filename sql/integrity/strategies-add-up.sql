-- Spend is of one strategy or unclassified; revenue has real cost or not; customers are new or returning.
-- Amounts are rounded one by one.

select *
from profitability_cards
where abs("acquisitionInvestment" + "brandInvestment" + "monetizationInvestment" + "unclassifiedInvestment" - investment) > 0.025 + 1e-6
    or "acquisitionNewCustomers" + "brandNewCustomers" > "newCustomers"
    or abs("revenueWithCmv" + "revenueWithoutCmv" - revenue) > 0.015 + 1e-6
    or "newCustomers" + "recurringCustomers" <> customers
    or customers > orders
    or "recurringOrders" > orders
    or ("marginBasis" = 'no_basis' and cogs <> 0)
