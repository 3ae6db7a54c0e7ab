"""What a report is made of, whatever it is about: tables of text, pictures, and one page with both."""
