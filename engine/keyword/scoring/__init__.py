"""By which model are words weighed?"""
