"""Disclosure control: what is told of people is told of several together, and never of fewer than a stated number.

A figure of one person is that person's datum: an approval rate of a group of one is a decision, and the weight of
evidence of a category that one applicant has is an outcome. So cells of fewer than `min_cell()` rows are pooled with
others before anything is computed of them. Then no total gives them away either, as a suppressed cell would: it is
what the shown cells leave of the whole.
"""
