-- The last day that the data of each store and ad account cover [D23].
-- Grain: one row: `stores` and `accounts`, lists of {integrationId, lastDay}. Parameters: none.

select stores, accounts
from account_days()
